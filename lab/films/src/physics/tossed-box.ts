import type { Pose } from '../shot.ts';
import type { Quaternion, Vector } from '../vectors.ts';
import { add, along, compose, cross, rotate, scale, turn } from '../vectors.ts';

/** A box that is tossed onto the floor y = 0. */
export interface TossedBox {
  readonly halfSizes: Vector;
  /** Acceleration of gravity, m/s^2. */
  readonly gravity: number;
  /**
   * Restitution: speed of a corner away from the floor after an impact, divided by its speed towards the floor before.
   */
  readonly restitution: number;
  /** Coefficient of Coulomb friction. */
  readonly mu: number;
  /** Time of the initial state, s. */
  readonly from: number;
  readonly pose: Pose;
  readonly velocity: Vector;
  /** Angular velocity in world axes, rad/s. */
  readonly spin: Vector;
}

/** State of the box at a time. */
export interface TossState extends Pose {
  readonly velocity: Vector;
  readonly spin: Vector;
}

/** Time step, s: detects the contact of a corner within 0.1 mm at 2 m/s. */
const STEP = 1 / 20_000;
/** Approach speed of a corner below which restitution is 0, m/s: otherwise a box would never come to rest. */
const REST_SPEED = 0.05;
/** Number of sweeps over the corners in simultaneous contact that solve for their impulses. */
const TURNS = 8;

/**
 * Returns the motion of a tossed box, per kilogram. Free flight uses the midpoint rule at constant angular momentum; an
 * impact applies the impulse at a corner that reverses its normal speed by the restitution, with sticking or sliding
 * Coulomb friction.
 *
 * @param seconds end of the simulated time, s.
 */
export function tossedBox(box: TossedBox, seconds: number): (time: number) => TossState {
  const { halfSizes, gravity, from } = box;
  const [a, b, c] = halfSizes.map((half) => (half * half) / 3);
  const moments: Vector = [b + c, a + c, a + b];
  const corners = [-1, 1].flatMap((x) =>
    [-1, 1].flatMap((y) => [-1, 1].map((z): Vector => [x * halfSizes[0], y * halfSizes[1], z * halfSizes[2]])),
  );
  let { position, orientation } = box.pose;
  let { velocity } = box;
  let momentum = inertia(orientation, moments, box.spin, 1);
  const spinOf = (q: Quaternion): Vector => inertia(q, moments, momentum, -1);
  const states: TossState[] = [{ position, orientation, velocity, spin: box.spin }];
  for (let step = 1; from + (step - 1) * STEP < seconds; step++) {
    position = add(along(position, velocity, STEP), [0, (-gravity * STEP * STEP) / 2, 0]);
    velocity = along(velocity, [0, -gravity, 0], STEP);
    const half = compose(rotateBox(spinOf(orientation), STEP / 2), orientation);
    orientation = compose(rotateBox(spinOf(half), STEP), orientation);
    const length = Math.hypot(...orientation);
    orientation = orientation.map((part) => part / length) as unknown as Quaternion;
    const arms = corners.map((corner) => rotate(orientation, corner)).filter((arm) => position[1] + arm[1] < 0);
    for (let round = 0; arms.length > 0 && round < TURNS; round++) {
      for (const arm of arms) {
        const speed = add(velocity, cross(spinOf(orientation), arm));
        if (speed[1] >= 0) continue;
        const impulse = impulseOf(speed, arm, (torque) => inertia(orientation, moments, torque, -1), box);
        velocity = add(velocity, impulse);
        momentum = add(momentum, cross(arm, impulse));
      }
    }
    states.push({ position, orientation, velocity, spin: spinOf(orientation) });
  }
  return (time) => states[Math.min(Math.max(Math.round((time - from) / STEP), 0), states.length - 1)];
}

/** Multiplies v by a rotated body's inertia tensor (power 1) or its inverse (power -1), given its principal moments. */
function inertia(q: Quaternion, moments: Vector, v: Vector, power: 1 | -1): Vector {
  const own = rotate([-q[0], -q[1], -q[2], q[3]], v);
  return rotate(q, [own[0] * moments[0] ** power, own[1] * moments[1] ** power, own[2] * moments[2] ** power]);
}

function rotateBox(spin: Vector, seconds: number): Quaternion {
  const speed = Math.hypot(...spin);
  return speed === 0 ? [0, 0, 0, 1] : turn(spin, speed * seconds);
}

/** Change of the normal velocity in a part of a blow, m/s, and the largest number of parts. */
const [PART, MOST_PARTS] = [0.002, 2000] as const;

/**
 * Impulse of an impact at a corner, N s for a body of 1 kg, in small parts: in each the corner sticks if friction suffices, else
 * friction opposes its slip at that time. An impulse j changes the corner's velocity by K j = j + (I^-1 (r x j)) x r.
 */
function impulseOf(
  speed: Vector,
  arm: Vector,
  perInertia: (torque: Vector) => Vector,
  { restitution, mu }: Pick<TossedBox, 'restitution' | 'mu'>,
): Vector {
  const response = (impulse: Vector): Vector => add(impulse, cross(perInertia(cross(arm, impulse)), arm));
  const columns = (
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const
  ).map((axis) => response(axis));
  const wanted = -speed[1] > REST_SPEED ? -restitution * speed[1] : 0;
  const gained = wanted - speed[1];
  const parts = Math.min(MOST_PARTS, Math.max(4, Math.ceil(gained / PART)));
  const [n1, n2, n3] = columns[1];
  let [all, slipX, slipZ]: [Vector, number, number] = [[0, 0, 0], speed[0], speed[2]];
  for (let k = 0; k < parts; k++) {
    const sticking = solved(columns, [-slipX, gained / parts, -slipZ]);
    const needed = Math.hypot(sticking[0], sticking[2]);
    const sliding = Math.hypot(slipX, slipZ);
    let own = sticking;
    if (!(sticking[1] > 0 && needed <= mu * sticking[1])) {
      const [x, z] = sliding > 0 ? [-slipX / sliding, -slipZ / sliding] : [sticking[0] / needed, sticking[2] / needed];
      const way: Vector = [mu * x, 1, mu * z];
      own = scale(way, gained / parts / Math.max(n1 * way[0] + n2 + n3 * way[2], 0.1));
    }
    const turned = response(own);
    [slipX, slipZ] = [slipX + turned[0], slipZ + turned[2]];
    all = add(all, own);
  }
  return all;
}

/** Solves a linear system of three equations by Cramer's rule. */
function solved([x, y, z]: readonly Vector[], right: Vector): Vector {
  const det = (a: Vector, b: Vector, c: Vector): number => {
    const [p, q, r] = cross(b, c);
    return a[0] * p + a[1] * q + a[2] * r;
  };
  const whole = det(x, y, z);
  return [det(right, y, z) / whole, det(x, right, z) / whole, det(x, y, right) / whole];
}
