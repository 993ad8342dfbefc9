import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import { mean, solveByFactor, sumOfSquares, type Vector } from '@gradsim/numeric';
import type { Robot } from '../robot.ts';
import { axisJoints } from './axis-joints.ts';
import { baseOf, nameOfTerms } from './base-parameters.ts';
import type { DelayDirection } from './delay.ts';
import { delayDirection, fitDelay, gradientOf } from './delay.ts';
import type { JointLog } from './joint-log.ts';
import { lowPass } from './low-pass.ts';
import type { PhysicalRobot } from './physical.ts';
import { nearestPhysical, parameterNames, parametersOf, parametersOfRobot } from './physical.ts';
import type { Filtering, Recording } from './recording.ts';
import { channelsOf, fillLoads, inBand, JOINT_PARAMETERS, recordingOf, torquesOf, withLoads } from './recording.ts';
import { LINK_PARAMETERS } from './regressor.ts';
import type { Channel, Fit } from './robust-fit.ts';
import { residualsOf, robustFit } from './robust-fit.ts';
import { refuseTurnedTorques } from './turned-torques.ts';

/** Options of {@link identifyRobot}. */
export interface IdentifyOptions {
  /** Gravity in the robot's axes, m/s^2. Default: that of the model, else (0, 0, -9.81). */
  readonly gravity?: Vector;
  /** Frequency up to which positions are believed when they are differentiated, Hz. Default 15. */
  readonly motionBand?: number;
  /** Frequency up to which torques are compared, Hz. Default 5. */
  readonly torqueBand?: number;
  /** Rate at which dry friction reaches three quarters of its maximum, rad/s or m/s. Default 0.05. */
  readonly frictionWidth?: number;
  /**
   * True to estimate dry friction that grows with the load of a joint, as in gears (Hamon, Gautier and Garrec 2010).
   * Robot files have no such number. Default false.
   */
  readonly loadFriction?: boolean;
  /** Greatest delay of torques against positions that is tried, either way, s. Default 0.03; 0: none is estimated. */
  readonly delay?: number;
}

/** A number found from logs. */
export interface Identified {
  readonly name: string;
  readonly estimate: number;
  /** Standard error, of blocks of half a second; infinite if the motion does not determine the number. */
  readonly standardError: number;
}

/** A combination of parameters that the motion determines. */
export interface IdentifiedCombination extends Identified {
  /** Its value for another robot of the same links, such as one with published parameters. */
  readonly of: (robot: Robot) => number;
}

/** A calibrated robot. */
export interface Identification {
  /** The robot with the estimated masses, centres, inertias, armatures, damping and dry friction. */
  readonly robot: Robot;
  /** Combinations of parameters that the motion determines. */
  readonly combinations: readonly IdentifiedCombination[];
  /**
   * Combinations that it does not: along each, parameters can change without any change of torques. Those of links that
   * do not move against their parents are left out: no motion tells them from the parents', or they act in no torque.
   */
  readonly undetermined: readonly Identified[];
  /** Parameters one by one, in SI units, as the calibrated robot has them. */
  readonly parameters: readonly Identified[];
  /** Time by which torques are logged later than positions, s. */
  readonly delay: Identified;
  /**
   * Torques that the calibrated robot needs for the motion of a log, in the band of torques: [joint][sample], beside
   * those measured, and those in the band.
   */
  readonly foretell: (log: JointLog) => ForetoldTorques;
}

/** Torques of a log, N m or N, at evenly spaced times: [joint][sample]. */
export interface ForetoldTorques {
  readonly time: Float64Array;
  /** Coordinates and rates of the joints, filtered, rad or m, rad/s or m/s, as links have them: [joint][sample]. */
  readonly positions: readonly Float64Array[];
  readonly rates: readonly Float64Array[];
  readonly foretold: readonly Float64Array[];
  readonly measured: readonly Float64Array[];
  /** The measured torques without what is above the band. */
  readonly inBand: readonly Float64Array[];
}

const GRAVITY: Vector = [0, 0, -9.81];
const DEFAULTS = {
  motionBand: 15,
  torqueBand: 5,
  frictionWidth: 0.05,
  loadFriction: false,
  delay: 0.03,
};
/** Rounds in which load friction and the torques that it depends on take turns. */
const LOAD_ROUNDS = 25;
/** Length of the blocks whose residuals count as independent, s. */
const BLOCK = 0.5;
/**
 * Estimates the parameters of a robot from logs of its joints, by inverse dynamics, which are linear in the base
 * parameters; positions and torques are filtered alike. Bodies stay physical, and what the motion does not determine
 * stays near the model and is named.
 *
 * ```ts
 * const { robot: calibrated, combinations, undetermined } = identifyRobot(robot, [readJointLog(text, robot)]);
 * ```
 * @param logs several recordings are one estimate.
 * @throws GradsimError for a robot with ball or free joints, and for torques of turned sign.
 */
export function identifyRobot(robot: Robot, logs: readonly JointLog[], options: IdentifyOptions = {}): Identification {
  refuseUnknownOptions<IdentifyOptions>('identifyRobot', options, { ...DEFAULTS, gravity: GRAVITY });
  const { loadFriction: hasLoad, delay: range, ...rest } = { ...DEFAULTS, ...options };
  const filtering: Filtering = { ...rest, gravity: options.gravity ?? robot.gravity ?? GRAVITY };
  axisJoints(robot);
  if (logs.length === 0) throw new GradsimError('robots/log-missing', 'identifyRobot: there is no log.');
  const recordings = logs.map((log) => recordingOf(robot, log, filtering));
  const { torqueBand } = filtering;
  const names = parameterNames(robot);
  const order = columnOrder(robot);
  const undelayed = recordings.map((recording) => channelsOf(recording, 0, torqueBand));
  refuseTurnedTorques(robot, undelayed.flat(), order);
  const delayed = fitDelay(recordings, undelayed, { order, range, band: torqueBand });
  let { channels, fit } = delayed;
  const torque = Math.sqrt(mean(channels.map(({ torques }) => sumOfSquares(torques) / torques.length)));
  let physical = physicalOf(robot, fit, { torque, hasLoad });
  for (let round = 0; hasLoad && round < LOAD_ROUNDS; round++) {
    const parameters = parametersOf(physical.bodies, physical.joints);
    for (const recording of recordings) fillLoads(recording, parameters);
    channels = channels.map((channel, c) =>
      withLoads(channel, recordings[Math.floor(c / recordings[0].rows.length)], torqueBand),
    );
    fit = robustFit(channels, order, fit);
    physical = physicalOf(robot, fit, { torque, hasLoad, start: physical });
  }
  const { bodies, joints } = physical;
  const parameters = parametersOf(bodies, joints);
  const hasDelay = range > 0 && delayed.isWithin;
  const direction = hasDelay
    ? delayDirection(recordings, channels, fit, { delay: delayed.delay, band: torqueBand })
    : undefined;
  const covariance = covarianceOf(fit, direction, channels, recordings);
  const delay: Identified = {
    name: 'delay of torques',
    estimate: delayed.delay,
    standardError: hasDelay
      ? Math.sqrt(covariance[fit.values.length][fit.values.length])
      : range > 0
        ? Number.POSITIVE_INFINITY
        : 0,
  };
  const { base } = fit;
  const used = (p: number): boolean => hasLoad || !names[p].startsWith('loadFriction');
  const errors = base.independent.map((_, i) => Math.sqrt(covariance[i][i]));
  const combinations = baseOf(base, parameters).map((estimate, i) => ({
    name: nameOfTerms([
      [names[base.independent[i]], 1],
      ...base.dependent.map((p, k): [string, number] => [names[p], base.mix[i][k]]),
    ]),
    estimate,
    standardError: errors[i],
    of: (other: Robot) => baseOf(base, parametersOfRobot(other))[i],
  }));
  const undetermined = base.dependent.flatMap((p, k) =>
    used(p) && !isOfFixedLink(robot, p)
      ? [
          {
            name: nameOfTerms([
              [names[p], 1],
              ...base.independent.map((b, i): [string, number] => [names[b], -base.mix[i][k]]),
            ]),
            estimate: parameters[p],
            standardError: Number.POSITIVE_INFINITY,
          },
        ]
      : [],
  );
  const single = names.flatMap((name, p) => {
    if (!used(p)) return [];
    const i = base.independent.indexOf(p);
    const isAlone = i >= 0 && base.mix[i].every((c) => c === 0);
    return [{ name, estimate: parameters[p], standardError: isAlone ? errors[i] : Number.POSITIVE_INFINITY }];
  });
  return {
    robot: calibrated(robot, physical),
    combinations,
    undetermined,
    parameters: single,
    delay,
    foretell: (log) => foretell(recordingOf(robot, log, filtering), parameters, delay.estimate, filtering.torqueBand),
  };
}

/** Options of {@link foretellTorques}. */
export interface ForetellOptions
  extends Pick<IdentifyOptions, 'gravity' | 'motionBand' | 'torqueBand' | 'frictionWidth'> {
  /** Time by which torques are logged later than positions, s. Default 0. */
  readonly delay?: number;
}

/**
 * Foretells the torques that a robot, such as one with published parameters, needs for the motion of a log.
 *
 * ```ts
 * const { foretold, measured } = foretellTorques(robot, log, { delay: 0.004 });
 * ```
 */
export function foretellTorques(robot: Robot, log: JointLog, options: ForetellOptions = {}): ForetoldTorques {
  const known = { gravity: robot.gravity ?? GRAVITY, ...DEFAULTS, delay: 0, ...options };
  return foretell(recordingOf(robot, log, known), parametersOfRobot(robot), known.delay, known.torqueBand);
}

/** The torques that known parameters need for the motion of a recording. */
function foretell(recording: Recording, parameters: readonly number[], delay: number, band: number): ForetoldTorques {
  fillLoads(recording, parameters);
  const { step, time, rows, springs, positions, rates } = recording;
  const add = (torque: Float64Array, j: number): Float64Array => torque.map((x, s) => x + springs[j][s]);
  const measured = torquesOf(recording, delay).map(add);
  const foretold = rows.map((own, j) => {
    const torque = Float64Array.from(own, (row) => row.reduce((sum, y, p) => sum + y * parameters[p], 0));
    return lowPass(add(torque, j), band, step);
  });
  return {
    time,
    positions,
    rates,
    foretold,
    measured,
    inBand: measured.map((torque) => inBand(torque, recording, band)),
  };
}

/** The physical robot nearest to a fit. */
function physicalOf(
  robot: Robot,
  { base, values, factor, squares, independent }: Fit,
  model: Parameters<typeof nearestPhysical>[2],
): PhysicalRobot {
  const deviation = Math.sqrt(squares / Math.max(independent - values.length, 1));
  // L^T (B x - values) / deviation, with the normal matrix L L^T.
  const residuals = (x: readonly number[]): number[] => {
    const apart = baseOf(base, x).map((value, i) => value - values[i]);
    return apart.map((_, i) => factor.reduce((all, row, k) => (k >= i ? all + row[i] * apart[k] : all), 0) / deviation);
  };
  return nearestPhysical(robot, residuals, model);
}

/**
 * Covariance of base parameters, and of the delay if it is unknown, H^-1 (sum over blocks of g g^T) H^-1, with g = Y^T W r of
 * all joints in a block of time: it holds for residuals that are correlated within a block, whatever their cause.
 */
function covarianceOf(
  fit: Fit,
  direction: DelayDirection | undefined,
  channels: readonly Channel[],
  recordings: readonly Recording[],
): number[][] {
  const factor = direction?.factor ?? fit.factor;
  const spread = factor.map(() => new Array<number>(factor.length).fill(0));
  const residuals = channels.map((channel) => residualsOf(channel, fit));
  const joints = channels.length / recordings.length;
  let blocks = 0;
  recordings.forEach(({ step, time }, r) => {
    const length = Math.max(Math.round(BLOCK / step), 1);
    const own = Array.from({ length: joints }, (_, j) => r * joints + j);
    for (let first = 0; first < time.length; first += length) {
      const part = { channels: own, first, end: first + length };
      const x = solveByFactor(factor, gradientOf(channels, fit, direction, residuals, part));
      spread.forEach((row, i) => {
        for (let k = 0; k < row.length; k++) row[k] += x[i] * x[k];
      });
      blocks++;
    }
  });
  const correction = blocks / Math.max(blocks - 1, 1);
  return spread.map((row) => row.map((x) => x * correction));
}

/** True for a parameter of a link that does not move against its parent. */
const isOfFixedLink = ({ links }: Robot, p: number): boolean =>
  links[Math.floor(p / LINK_PARAMETERS.length)]?.values.joint === 'fixed';

/** First moments and inertias come first, masses last, so that combinations are named as usual: m1 c1 + l1 m2. */
function columnOrder({ links }: Robot): number[] {
  const n = LINK_PARAMETERS.length;
  const rigid = links.flatMap((_, k) => [1, 2, 3, 6, 4, 5, 7, 8, 9].map((p) => n * k + p));
  const moved = links.filter(({ values }) => values.joint !== 'fixed');
  const own = (p: number): number[] => moved.map((_, j) => n * links.length + JOINT_PARAMETERS.length * j + p);
  return [...rigid, ...own(2), ...own(1), ...own(0), ...own(3), ...links.map((_, k) => n * k)];
}

function calibrated(robot: Robot, { bodies, joints }: PhysicalRobot): Robot {
  let j = 0;
  const links = robot.links.map((link, k) => {
    const { mass, centre, inertia } = bodies[k];
    const body = { mass, centre, inertia };
    if (link.values.joint === 'fixed') return { ...link, values: { ...link.values, ...body } };
    const [armature, damping, dryFriction] = joints[j++];
    return { ...link, values: { ...link.values, ...body, armature, damping, dryFriction } };
  });
  return { ...robot, links };
}
