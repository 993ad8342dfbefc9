import type { State, V3 } from './path.ts';

/** x, y, z, w */
export type Quaternion = readonly number[];

/** How a box is and moves at a time: m, m/s, and rad/s in world axes. */
export interface BoxState extends State {
  readonly orientation: Quaternion;
  readonly angularVelocity: V3;
}

/** First b, then a. */
export function times([x, y, z, w]: Quaternion, [a, b, c, d]: Quaternion): number[] {
  return [
    w * a + x * d + y * c - z * b,
    w * b - x * c + y * d + z * a,
    w * c + x * b - y * a + z * d,
    w * d - x * a - y * b - z * c,
  ];
}

/** A turn at this rate, rad/s in world axes, for so long. */
export function turnBy(rate: V3, seconds: number): number[] {
  const speed = Math.hypot(...rate);
  const half = (speed * seconds) / 2;
  const scale = speed === 0 ? seconds / 2 : Math.sin(half) / speed;
  return [...rate.map((c) => c * scale), Math.cos(half)];
}

/** From the body's axes to the world's. */
export function rotated(q: Quaternion, v: V3): number[] {
  const [x, y, z] = times(times(q, [...v, 0]), [-q[0], -q[1], -q[2], q[3]]);
  return [x, y, z];
}

/** The same orientation after half a turn about each of a body's axes, and after none. */
export const halfTurnsOf = (q: Quaternion): number[][] =>
  [
    [0, 0, 0, 1],
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [0, 0, 1, 0],
  ].map((half) => times(q, half));

/** How a body turns. */
export interface Turning {
  readonly orientation: Quaternion;
  /** In world axes, rad/s. */
  readonly spin: V3;
}

/** Longest step, s. */
const STEP = 8e-3;

/**
 * What no torque turns, so much later or earlier: its angular momentum stays in the world. By the midpoint rule, second order.
 *
 * @param moments of inertia about its axes, in any unit.
 */
export function freelyTurned({ orientation, spin }: Turning, seconds: number, moments: V3): Turning {
  const inverse = (q: Quaternion): number[] => [-q[0], -q[1], -q[2], q[3]];
  const momentum = rotated(
    orientation,
    rotated(inverse(orientation), spin).map((c, k) => c * moments[k]),
  );
  const spinAt = (q: Quaternion): number[] =>
    rotated(
      q,
      rotated(inverse(q), momentum).map((c, k) => c / moments[k]),
    );
  const steps = Math.max(1, Math.ceil(Math.abs(seconds) / STEP));
  const h = seconds / steps;
  let q = orientation;
  for (let step = 0; step < steps; step++) {
    const half = times(turnBy(spinAt(q), h / 2), q);
    q = times(turnBy(spinAt(half), h), q);
  }
  return { orientation: q, spin: spinAt(q) };
}
