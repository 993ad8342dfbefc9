import type { Vector } from '@gradsim/base';
import { median, sumOfSquares } from '@gradsim/base';
import type { Robot, RobotLink } from '../../robot.ts';
import { coupledMotion, type Groups, sumOverGroups } from '../coupling/coupled.ts';
import { isStill } from '../reading/is-still.ts';
import type { JointLog, Payload } from '../reading/joint-log.ts';
import { servoTorque } from '../reading/servo.ts';
import { type Spikes, withoutSpikes } from '../reading/spikes.ts';
import { JOINT_PARAMETERS, LINK_PARAMETERS, rigidRegressor, rigidTorques } from '../regressor.ts';
import { derivative, lowPass, resampled, resampledSmoothly } from './low-pass.ts';
import { parametersOfPayload } from './payload.ts';

/** Options of the filter of recordings. */
export interface Filtering {
  /** Frequency up to which positions are believed when they are differentiated, Hz. */
  readonly motionBand: number;
  /** Frequency up to which torques are compared, Hz. */
  readonly torqueBand: number;
  /** Rate at which dry friction reaches three quarters of its maximum, rad/s or m/s. */
  readonly frictionWidth: number;
  /** m/s^2, in the robot's axes. */
  readonly gravity: Vector;
}

/** Samples that a fit sees in a period of the band of torques: what is above half of their rate is a ten-thousandth. */
const SAMPLES_PER_PERIOD = 12;

/** A recording with evenly spaced samples, and the regressor of its torques. */
export interface Recording {
  /** The log without its spikes. */
  readonly log: JointLog;
  readonly spikes: readonly Spikes[];
  /** Frequency of the filter of positions, Hz. */
  readonly motionBand: number;
  readonly step: number;
  /** Joints that move together, whose equation the first of them has: what the others have below is empty or zero. */
  readonly groups: Groups;
  /** Number of joints, the first ones, that stand for a floating base. */
  readonly bases: number;
  /** Samples of the recording for each sample that a fit sees: the band of torques needs no more. */
  readonly stride: number;
  readonly time: Float64Array;
  /** Coordinates of the links' joints, their rates and accelerations: [joint][sample]. */
  readonly positions: readonly Float64Array[];
  readonly rates: readonly Float64Array[];
  readonly accelerations: readonly Float64Array[];
  /** Regressor before the filter, columns of zeros empty: [joint][parameter][sample]; load friction's are, until it is filled in. */
  readonly columns: readonly Float64Array[][];
  /**
   * 1 where a joint slides, 0 where it may stick: [joint][sample]. Dry friction of a joint that sticks is any torque up to
   * its maximum, so that such samples say nothing.
   */
  readonly slides: readonly Float64Array[];
  /** Sign of each joint's rate, smoothed: [joint][sample]. */
  readonly directions: readonly Float64Array[];
  /** Derivatives of `directions` by the logarithm of the rate over which they turn around: [joint][sample]. */
  readonly reversals: readonly Float64Array[];
  /** Torques that are known: of the joints' springs, as the model has them, and of a payload: [joint][sample]. */
  readonly knownTorques: readonly Float64Array[];
}

/** Computes the motion and the regressor of a recording. */
export function recordingOf(robot: Robot, raw: JointLog, filtering: Filtering): Recording {
  const { motionBand, torqueBand, frictionWidth, gravity } = filtering;
  const { log, spikes } = withoutSpikes(raw);
  const step = median(log.time.slice(1).map((t, k) => t - log.time[k]));
  const start = log.time[0];
  const count = Math.floor((log.time[log.time.length - 1] - start) / step) + 1;
  const at = { start, step, count };
  const joints = robot.links.filter(({ values }) => values.joint !== 'fixed');
  const measured = log.positions.map((values, j) => {
    const reference = joints[j].reference ?? 0;
    return lowPass(resampled(log.time, values, at), motionBand, step).map((x) => x - reference);
  });
  const { positions: q, groups } = coupledMotion(robot, measured);
  const v = q.map((x) => derivative(x, step));
  const a = v.map((x) => derivative(x, step));
  const rigid = LINK_PARAMETERS.length * robot.links.length;
  const total = rigid + JOINT_PARAMETERS.length * q.length;
  const directions = v.map((rates) => rates.map((rate) => Math.tanh(rate / frictionWidth)));
  const columns = q.map((_, j) => {
    const own = Array.from({ length: total }, (__, p) =>
      p < rigid && movesWith(robot, j, p) ? new Float64Array(count) : EMPTY,
    );
    // A base has no motors and no bearings.
    if (!joints[j].isOfBase)
      [a[j], v[j], directions[j]].forEach((column, p) => {
        own[rigid + JOINT_PARAMETERS.length * j + p] = column;
      });
    return own;
  });
  for (let s = 0; s < count; s++) {
    const motion = { q: q.map((x) => x[s]), v: v.map((x) => x[s]), a: a.map((x) => x[s]) };
    for (const [j, row] of rigidRegressor(robot, motion, gravity).entries())
      for (let p = 0; p < rigid; p++) if (columns[j][p].length > 0) columns[j][p][s] = row[p];
  }
  for (const p of columns[0].keys())
    for (const [j, column] of sumOverGroups(
      groups,
      columns.map((own) => own[p]),
    ).entries())
      columns[j][p] = column.every((x) => x === 0) ? EMPTY : column;
  const payload = log.payload && payloadTorques(robot, log.payload, { q, v, a }, gravity);
  const knownTorques = sumOverGroups(
    groups,
    q.map((x, j) => {
      const { stiffness = 0, restCoordinate = 0 } = joints[j].values;
      return x.map((value, s) => stiffness * (value - restCoordinate) + (payload?.[j][s] ?? 0));
    }),
  );
  const time = Float64Array.from({ length: count }, (_, s) => start + s * step);
  const bases = joints.filter(({ isOfBase }) => isOfBase).length;
  const flying = bases > 0 ? flyingOf(log, time, step, filtering) : new Float64Array(count).fill(1);
  const sliding = v.map((rates, j) => {
    if (joints[j].isOfBase) return flying.slice();
    if (isStill(log.positions[j])) return new Float64Array(count);
    return slidingOf(rates, step, filtering).map((x, s) => x * flying[s]);
  });
  return {
    log,
    spikes,
    motionBand,
    step,
    groups,
    bases,
    stride: Math.max(Math.floor(1 / (SAMPLES_PER_PERIOD * torqueBand * step)), 1),
    time,
    positions: q,
    rates: v,
    accelerations: a,
    slides: groups.map((group) =>
      Float64Array.from({ length: count }, (_, s) =>
        Number(group.length > 0 && group.every(([k]) => sliding[k][s] > 0)),
      ),
    ),
    columns,
    directions,
    reversals: v.map((rates, j) =>
      joints[j].isOfBase ? EMPTY : rates.map((rate, s) => -(rate / frictionWidth) * (1 - directions[j][s] ** 2)),
    ),
    knownTorques,
  };
}

const EMPTY: Float64Array = new Float64Array(0);

/** True for a link that stands for a part of the motion of a base, and has no mass. */
export const isWithoutBody = ({ isOfBase, values: { mass } }: RobotLink): boolean => isOfBase === true && mass === 0;

/** True if a parameter of a link may act in the torque of a joint: if the joint is its own, or of a link that carries it. */
function movesWith({ links }: Robot, joint: number, parameter: number): boolean {
  if (isWithoutBody(links[Math.floor(parameter / LINK_PARAMETERS.length)])) return false;
  const moved = links.flatMap(({ values }, k) => (values.joint === 'fixed' ? [] : [k]));
  let k: number | undefined = Math.floor(parameter / LINK_PARAMETERS.length);
  while (k !== undefined && k !== moved[joint]) k = links[k].parent;
  return k !== undefined;
}

/** Rates below so many widths of dry friction count as sticking, but no more than a tenth of the usual rate. */
export const MIN_SLIDING_WIDTHS = 3;

function slidingOf(rates: Float64Array, step: number, { frictionWidth, torqueBand }: Filtering): Float64Array {
  const usual = Math.sqrt(sumOfSquares(rates) / rates.length);
  const least = Math.min(MIN_SLIDING_WIDTHS * frictionWidth, usual / 10);
  // The filter of torques spreads a sample over about this time, either way.
  const reach = Math.round(1 / (2 * torqueBand * step));
  const slides = new Float64Array(rates.length).fill(1);
  // Its ends are continued by a guess.
  const ends = Math.min(reach, Math.floor(rates.length / 4));
  slides.fill(0, 0, ends).fill(0, rates.length - ends);
  rates.forEach((rate, s) => {
    if (Math.abs(rate) < least) slides.fill(0, Math.max(s - reach, 0), s + reach + 1);
  });
  return slides;
}

/** 1 where nothing touches a robot: [sample]. */
function flyingOf({ touches, time: logged }: JointLog, time: Float64Array, step: number, { torqueBand }: Filtering) {
  const flying = new Float64Array(time.length).fill(1);
  if (!touches) return flying;
  // Impacts are far larger than what is compared: filters spread them over a period of the band.
  const reach = Math.round(1 / (torqueBand * step));
  flying.fill(0, 0, reach).fill(0, time.length - reach);
  for (const [k, touching] of touches.entries()) {
    const s = Math.round((logged[k] - time[0]) / step);
    if (touching) flying.fill(0, Math.max(s - reach, 0), s + reach + 1);
  }
  return flying;
}

/** Torques of the joints that a payload takes: [joint][sample]. */
export function payloadTorques(
  robot: Robot,
  payload: Payload,
  {
    q,
    v,
    a,
  }: { readonly q: readonly Float64Array[]; readonly v: readonly Float64Array[]; readonly a: readonly Float64Array[] },
  gravity: Vector,
): Float64Array[] {
  const parameters = parametersOfPayload(robot, payload);
  const torques = q.map((x) => new Float64Array(x.length));
  for (let s = 0; s < q[0].length; s++) {
    const motion = { q: q.map((x) => x[s]), v: v.map((x) => x[s]), a: a.map((x) => x[s]) };
    for (const [j, torque] of rigidTorques(robot, parameters, motion, gravity).entries()) torques[j][s] = torque;
  }
  return torques;
}

/** Measured torques less those that are known, taken `delay` seconds later than the motion: [joint][sample]. */
export function torquesOf({ log, step, time, knownTorques, groups, rates }: Recording, delay: number): Float64Array[] {
  const torques = log.torques.map((values, j) => {
    const at = (by: number) => ({ start: time[0] + by, step, count: time.length });
    const { commands, servos } = log;
    const control = commands
      ? resampledSmoothly(log.time, commands.commanded[j], at(delay))
      : resampled(log.time, values, at(delay));
    if (!commands && !servos) return control;
    // A control acts late; the coordinate or rate that it is compared with is that of the same time.
    const coordinate = resampled(log.time, log.positions[j], at(0));
    if (servos) {
      const servo = servos[j];
      return control.map((u, s) => (servo ? servoTorque(servo, u, coordinate[s], rates[j][s]) : 0));
    }
    const own = commands?.quantity === 'velocities' ? derivative(coordinate, step) : coordinate;
    const [gain, bias] = [commands?.gains?.[j] ?? 1, commands?.biases?.[j] ?? 0];
    return control.map((x, s) => (x - own[s] - bias) / gain);
  });
  return sumOverGroups(groups, torques).map((torque, j) => torque.map((x, s) => x - knownTorques[j][s]));
}
