import type { Vector } from '@gradsim/base';
import { JOINT_PARAMETERS, LINK_PARAMETERS, rigidTorques } from '../logs/regressor.ts';
import type { Robot } from '../robot.ts';
import type { MotionSamples } from './series.ts';

/** Bounds of a joint's motion. */
export interface JointBounds {
  readonly joint: string;
  /** Its coordinate as the link has it, rad or m. */
  readonly lower: number;
  readonly upper: number;
  /** Size of its rate, rad/s or m/s. */
  readonly speed: number;
  /** Size of its acceleration, rad/s^2 or m/s^2. */
  readonly acceleration: number;
  /** Size of its torque by the model, N m or N; infinite if there is no limit. */
  readonly torque: number;
}

/** Torques that a motion takes, by parameters of the regressor: [joint][sample], N m or N. */
export function torquesAlong(
  robot: Robot,
  parameters: readonly number[],
  { time, positions, rates, accelerations }: MotionSamples,
  { gravity, frictionWidth }: { readonly gravity: Vector; readonly frictionWidth: number },
): Float64Array[] {
  const torques = positions.map((q) => new Float64Array(q.length));
  const joints = robot.links.filter(({ values }) => values.joint !== 'fixed');
  const first = LINK_PARAMETERS.length * robot.links.length;
  for (let s = 0; s < time.length; s++) {
    const at = (of: readonly Float64Array[]): number[] => of.map((x) => x[s]);
    const [q, v, a] = [at(positions), at(rates), at(accelerations)];
    for (const [j, rigid] of rigidTorques(robot, parameters, { q, v, a }, gravity).entries()) {
      const [armature, damping, dry] = parameters.slice(first + JOINT_PARAMETERS.length * j);
      const { stiffness = 0, restCoordinate = 0 } = joints[j].values;
      torques[j][s] =
        rigid +
        armature * a[j] +
        damping * v[j] +
        dry * Math.tanh(v[j] / frictionWidth) +
        stiffness * (q[j] - restCoordinate);
    }
  }
  return torques;
}

/** Halvings of the interval in which the greatest size of a motion within torques lies. */
const BISECTIONS = 20;

/**
 * Makes a motion about `centre` so much smaller that it is within its bounds: each joint by its own, then all by torques and
 * clearance. Returns factors by joint; undefined if not even standing still there is within these.
 * @param isFree false where links of the robot touch.
 */
export function factorsWithin(
  motion: MotionSamples,
  centre: readonly number[],
  bounds: readonly JointBounds[],
  torquesOf: (motion: MotionSamples) => readonly Float64Array[],
  isFree: (coordinates: readonly number[]) => boolean,
): number[] | undefined {
  const own = bounds.map(({ lower, upper, speed, acceleration }, j) => {
    let most = 1;
    for (const x of motion.positions[j])
      most = Math.max(most, (x - centre[j]) / (x > centre[j] ? upper - centre[j] : lower - centre[j]) || 0);
    for (const v of motion.rates[j]) most = Math.max(most, Math.abs(v) / speed);
    for (const a of motion.accelerations[j]) most = Math.max(most, Math.abs(a) / acceleration);
    return 1 / most;
  });
  const isWithin = (by: number): boolean => {
    const smaller = scaledMotion(
      motion,
      centre,
      own.map((x) => x * by),
    );
    const { time, positions } = smaller;
    return (
      torquesOf(smaller).every((torque, j) => torque.every((x) => Math.abs(x) <= bounds[j].torque)) &&
      time.every((_, s) => isFree(positions.map((q) => q[s])))
    );
  };
  if (isWithin(1)) return own;
  if (!isWithin(0)) return undefined;
  let [low, high] = [0, 1];
  for (let k = 0; k < BISECTIONS; k++) {
    const middle = (low + high) / 2;
    if (isWithin(middle)) low = middle;
    else high = middle;
  }
  return own.map((x) => x * low);
}

/** A motion whose joints move by a factor less about a centre. */
export const scaledMotion = (
  { time, positions, rates, accelerations }: MotionSamples,
  centre: readonly number[],
  factor: readonly number[],
): MotionSamples => ({
  time,
  positions: positions.map((own, j) => own.map((x) => centre[j] + factor[j] * (x - centre[j]))),
  rates: rates.map((own, j) => own.map((x) => factor[j] * x)),
  accelerations: accelerations.map((own, j) => own.map((x) => factor[j] * x)),
});
