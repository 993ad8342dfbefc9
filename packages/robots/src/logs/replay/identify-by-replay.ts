import { solveByFactor } from '@gradsim/base';
import { isGradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Robot } from '../../robot.ts';
import { answerOf } from '../answer.ts';
import { referencesOf } from '../axis-joints.ts';
import { baseOf } from '../base-parameters.ts';
import { physicalOf } from '../calibrated-robot.ts';
import { covarianceOfBlocks } from '../covariance.ts';
import { gradientOf } from '../delay.ts';
import { isFloating } from '../floating/floated.ts';
import { DEFAULTS, GRAVITY } from '../foretell.ts';
import type { Identification, IdentifyOptions } from '../identification.ts';
import type { Identified } from '../identified.ts';
import { type InverseDynamics, identifyRobot, inverseDynamics, refuseUnfit, withoutServos } from '../identify.ts';
import { ofRobotAlone, withZeros } from '../mistakes/zeros.ts';
import { parametersOf, parametersOfRobot } from '../physical.ts';
import type { JointLog } from '../reading/joint-log.ts';
import { resampled } from '../recording/low-pass.ts';
import { recordingOf } from '../recording/recording.ts';
import { JOINT_PARAMETERS, LINK_PARAMETERS } from '../regressor.ts';
import { correctedBy, type TorqueSensors } from '../torque-sensors.ts';
import { piecesOf } from './pieces.ts';
import { fitReplay, type Replayable } from './refine.ts';
import { createReplay, type Replay, type ReplayPoint } from './replay.ts';

/**
 * Estimates the parameters of a robot as {@link identifyRobot} does, and of logs of commands goes on from there by output
 * error: a simulation of the robot and its servos, told what the logs say, is fitted to the positions. Positions need not be
 * differentiated, so that noise of encoders leaves no bias.
 *
 * ```ts
 * const { combinations, replay } = await identifyByReplay(robot, [readJointLog(text, robot)], { torqueGain: 'unknown' });
 * ```
 * @throws GradsimError of {@link identifyRobot}.
 */
export async function identifyByReplay(
  robot: Robot,
  logs: readonly JointLog[],
  options: IdentifyOptions = {},
): Promise<Identification> {
  refuseUnknownOptions<IdentifyOptions>('identifyByReplay', options, { ...DEFAULTS, gravity: GRAVITY });
  const all = { ...DEFAULTS, ...options, gravity: options.gravity ?? robot.gravity ?? GRAVITY };
  const isTold = logs.length > 0 && logs.every(({ commands, hasVoltages }) => commands || hasVoltages);
  // Of a floating base, commands and voltages are refused.
  if (!isTold || isFloating(robot)) return identifyRobot(robot, logs, options);
  refuseUnfit(robot, logs, options);
  return refined(robot, logs, all, inverseDynamics(robot, logs, all));
}

/** Rate over which dry friction turns around at first, rad/s or m/s; that of inverse dynamics would let a joint creep which sticks. */
const FRICTION_WIDTH = 0.005;

/** Codes of errors of runs that do not end, or not in numbers. */
const UNFIT = ['core/alarm', 'core/not-finite', 'core/value-out-of-range', 'core/memory-budget'] as const;
/** Relative difference between steps of logs that are replayed as the same. */
const SAME_STEP = 1e-4;

/** Reasons for which the answer is that of inverse dynamics. */
const WHY = {
  loadFriction: 'the simulation has no dry friction that grows with the load of a joint',
  steps: 'logs are sampled at different rates',
  noMinimum:
    'no motion of it comes near enough to what was measured for its derivatives to lead nearer, as where a servo is at its greatest torque',
  unfit: 'its motion grows without bound, or needs more memory than there is',
} as const;

/** Refines an identification by inverse dynamics: gains and biases first, if they are unknown, and with these the rest. */
async function refined(
  robot: Robot,
  logs: readonly JointLog[],
  all: Required<IdentifyOptions>,
  inverse: InverseDynamics,
): Promise<Identification> {
  const { details, sensors } = inverse;
  const unfitted = (cause: string): Identification => ({
    ...inverse.identification,
    replay: { isFitted: false, cause },
  });
  if (all.loadFriction) return unfitted(WHY.loadFriction);
  const joints = details.physical.joints.length;
  const own = all.torqueGain === 'unknown' ? logs.map(withoutServos) : logs;
  const problem = problemOf(
    robot,
    own.map((log, r) => withZeros(log, details.zeros[r])),
    all,
    details.delay,
  );
  const [{ step }] = problem.recordings;
  if (problem.recordings.some((other) => Math.abs(other.step / step - 1) > SAME_STEP)) return unfitted(WHY.steps);
  const begin: ReplayPoint = {
    parameters: parametersOf(details.physical.bodies, details.physical.joints),
    gains: sensors?.gains ?? new Array<number>(joints).fill(1),
    biases: sensors?.biases ?? new Array<number>(joints).fill(0),
    widths: new Array<number>(joints).fill(FRICTION_WIDTH),
    delay: details.delay,
    starts: problem.pieces.map(({ recording, first }) => {
      const { positions, rates } = problem.recordings[recording];
      return [...positions, ...rates].map((of) => of[first]);
    }),
  };
  // Widths of friction, combinations or coefficients of joints, and gains and biases.
  const unknowns = joints + Math.max(details.base.independent.length, JOINT_PARAMETERS.length * joints) + 2 * joints;
  let replay: Replay | undefined;
  try {
    replay = await createReplay(robot, problem.recordings, problem.pieces, unknowns, begin, all.gravity);
    const at = { ...problem, replay };
    if (!sensors) return (await robotByReplay(robot, at, inverse, begin)) ?? unfitted(WHY.noMinimum);
    const better = await sensorsByReplay(robot, at, all, inverse, sensors, begin);
    const found = better && (await robotByReplay(robot, at, inverse.withSensors(better.sensors), better.point));
    return found ?? unfitted(WHY.noMinimum);
  } catch (error) {
    // Friction of a robot that is far from the right one may not settle, or its motion grow without bound.
    if (UNFIT.some((code) => isGradsimError(error, code))) return unfitted(WHY.unfit);
    throw error;
  } finally {
    replay?.dispose();
  }
}

/** Recordings of logs, their positions as measured, and their pieces. */
function problemOf(
  robot: Robot,
  logs: readonly JointLog[],
  all: Required<IdentifyOptions>,
  delay: number,
): Omit<Replayable, 'replay'> {
  const recordings = logs.map((log) => ({ ...recordingOf(robot, log, all), stride: 1 }));
  const references = referencesOf(robot);
  const measured = recordings.map(({ log, time, step }) =>
    log.positions.map((own, j) =>
      resampled(log.time, own, { start: time[0], step, count: time.length }).map((x) => x - references[j]),
    ),
  );
  return { recordings, measured, pieces: piecesOf(recordings, delay) };
}

/** Fits gains and biases of what is logged in the place of torques; undefined if no replay fits. */
async function sensorsByReplay(
  robot: Robot,
  problem: Replayable,
  { torqueGain }: Required<IdentifyOptions>,
  { details, namedParameters }: InverseDynamics,
  sensors: TorqueSensors,
  begin: ReplayPoint,
): Promise<{ readonly sensors: TorqueSensors; readonly point: ReplayPoint } | undefined> {
  const rigid = LINK_PARAMETERS.length * robot.links.length;
  const joints = begin.gains.length;
  const hasPayload = problem.recordings.some(({ log }) => log.payload);
  // Without a payload, it is the bodies of the model that give the scale.
  const parameters = hasPayload
    ? begin.parameters
    : [...parametersOfRobot(robot).slice(0, rigid), ...begin.parameters.slice(rigid)];
  const ofRobot = hasPayload
    ? details.base.independent
    : begin.gains.flatMap((_, j) => [0, 1, 2].map((p) => rigid + JOINT_PARAMETERS.length * j + p));
  // Gains come first, if they are unknown.
  const count = torqueGain === 'unknown' ? joints : 0;
  const places = sensors.identified.map((_, i) => namedParameters.length + (count > 0 ? 0 : joints) + i);
  const told = places.filter((_, i) => Number.isFinite(sensors.identified[i].standardError));
  const asked = { unknowns: [...ofRobot, ...told], otherParameters: [], hasDelay: details.hasDelay };
  const found = await fitReplay(problem, asked, { ...begin, parameters });
  if (!found) return undefined;
  const { point, fit, direction, channels, leastErrors } = found;
  const { gains, biases } = point;
  const covariance = covarianceOfBlocks(fit, direction, channels, problem.recordings);
  const identified = sensors.identified.map((one, i) => {
    const k = fit.base.independent.indexOf(places[i]);
    if (k < 0) return one;
    const error = Math.max(Math.sqrt(covariance[k][k]), leastErrors[k]);
    return i < count
      ? { ...one, estimate: 1 / gains[i], standardError: error / Math.abs(gains[i]) }
      : { ...one, estimate: biases[i - count], standardError: error };
  });
  const gainErrors = gains.map((gain, j) => (j < count ? errorOf(identified[j]) * Math.abs(gain) : 0));
  return { sensors: { ...sensors, gains, biases, gainErrors, identified, corrected: correctedBy(point) }, point };
}

const errorOf = ({ standardError }: Identified): number => (Number.isFinite(standardError) ? standardError : 0);

/** Fits the combinations of an identification, with given gains and biases; undefined if no replay fits. */
async function robotByReplay(
  robot: Robot,
  problem: Replayable,
  { identification, details, namedParameters, sensors }: InverseDynamics,
  begin: ReplayPoint,
): Promise<Identification | undefined> {
  const { base, torque, hasDelay, foretellBy, physical: start } = details;
  const { recordings } = problem;
  const gainErrors = sensors?.gainErrors ?? [];
  const otherParameters = gainErrors.flatMap((error, j) => (error > 0 ? [namedParameters.length + j] : []));
  const found = await fitReplay(problem, { unknowns: base.independent, otherParameters, hasDelay }, begin);
  if (!found) return undefined;
  const { channels, direction, point, leastErrors } = found;
  const widths = found.fit.base.independent.filter((u) => u >= namedParameters.length);
  const fit = {
    ...found.fit,
    base: {
      ...base,
      independent: [...widths, ...base.independent],
      mix: [...widths.map(() => base.dependent.map(() => 0)), ...base.mix],
    },
  };
  const ofRobot = { ...ofRobotAlone(fit, namedParameters.length), values: baseOf(base, point.parameters) };
  const physical = physicalOf(robot, ofRobot, { torque, hasLoad: false, start });
  const ofGains = otherParameters.map((u, k) => {
    const moved = found.otherColumns[k].map((column) => column.map((x) => gainErrors[u - namedParameters.length] * x));
    return solveByFactor(fit.factor, gradientOf(channels, fit, undefined, moved));
  });
  const evidence = {
    robot,
    namedParameters,
    recordings,
    channels,
    fit,
    direction,
    physical,
    torque,
    leastErrors,
    ofGains,
  };
  const { scatter, ...own } = answerOf({ ...evidence, hasLoad: false });
  const foretell = foretellBy(parametersOf(physical.bodies, physical.joints), point.delay);
  return {
    ...identification,
    ...own,
    undetermined: [...own.undetermined, ...(sensors?.undetermined ?? [])],
    delay: {
      ...identification.delay,
      estimate: recordings[0].log.commands ? -point.delay : point.delay,
      standardError: hasDelay ? scatter.widenedErrors[fit.values.length] : identification.delay.standardError,
    },
    predictTorques: (log) => foretell(identification.corrected(log)),
    replay: { isFitted: true },
  };
}
