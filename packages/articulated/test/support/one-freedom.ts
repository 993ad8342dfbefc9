/** Motions of mechanisms with one degree of freedom, in plain numbers, independently of the package. */

/** A body of a plane mechanism: mass, kg, and inertia about its centre, kg m^2. */
export interface PlaneBody {
  readonly mass: number;
  readonly inertia: number;
}
/** Pose of a body: its centre, m, and its angle, rad. */
export interface PlanePose {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
}

/** Bodies of a mechanism and where they are at the value of its only coordinate. */
export interface Mechanism {
  readonly bodies: readonly PlaneBody[];
  readonly at: (coordinate: number) => readonly PlanePose[];
}

const STEP = 1e-4;
/** Fourth-order difference. */
const slope = (f: (q: number) => number, q: number): number =>
  (8 * (f(q + STEP) - f(q - STEP)) - (f(q + 2 * STEP) - f(q - 2 * STEP))) / (12 * STEP);

/** Inertia that the coordinate moves, sum m (dc/dq)^2 + I (da/dq)^2. */
export function inertiaAt({ bodies, at }: Mechanism, q: number): number {
  const rate = (k: number, name: keyof PlanePose): number => slope((p) => at(p)[k][name], q);
  return bodies.reduce(
    (sum, { mass, inertia }, k) =>
      sum + mass * (rate(k, 'x') ** 2 + rate(k, 'y') ** 2) + inertia * rate(k, 'angle') ** 2,
    0,
  );
}
const height = ({ bodies, at }: Mechanism, q: number): number =>
  at(q).reduce((sum, { y }, k) => sum + bodies[k].mass * y, 0);

/** Energy, J, under gravity g along -y. */
export const energyAt = (of: Mechanism, q: number, rate: number, g: number): number =>
  0.5 * inertiaAt(of, q) * rate ** 2 + g * height(of, q);

/** Returns coordinate and rate after a time, by M q'' + M' q'^2 / 2 + g H' = 0 and Runge-Kutta's method. */
export function moves(of: Mechanism, [q, rate]: readonly [number, number], g: number, time: number, steps: number) {
  const acceleration = (p: number, v: number): number =>
    -(0.5 * slope((x) => inertiaAt(of, x), p) * v * v + g * slope((x) => height(of, x), p)) / inertiaAt(of, p);
  const h = time / steps;
  for (let k = 0; k < steps; k++) {
    const a1 = acceleration(q, rate);
    const [q2, v2] = [q + (h / 2) * rate, rate + (h / 2) * a1];
    const a2 = acceleration(q2, v2);
    const [q3, v3] = [q + (h / 2) * v2, rate + (h / 2) * a2];
    const a3 = acceleration(q3, v3);
    const [q4, v4] = [q + h * v3, rate + h * a3];
    const a4 = acceleration(q4, v4);
    q += (h / 6) * (rate + 2 * v2 + 2 * v3 + v4);
    rate += (h / 6) * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return { coordinate: q, rate };
}
