import { mean, solveByFactor, sumOfSquares } from '@gradsim/base';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Robot } from '../robot.ts';
import { freeSwingRatios, refuseWithoutTorque } from './adequacy/no-torque.ts';
import { stretchesOf } from './adequacy/stretches.ts';
import { termsOf } from './adequacy/terms.ts';
import { tryTerms } from './adequacy/trials.ts';
import { answerOf } from './answer.ts';
import { axisJoints } from './axis-joints.ts';
import type { BaseParameters } from './base-parameters.ts';
import { physicalOf } from './calibrated-robot.ts';
import { refuseOfCoupled } from './coupling/coupled.ts';
import { delayDirection, fitDelay, gradientOf, refineDelay } from './delay.ts';
import { isFloating } from './floating/floated.ts';
import { identifyFloating } from './floating/identify-floating.ts';
import { DEFAULTS, type ForetellOptions, GRAVITY, predictTorquesOf, refuseCurrents } from './foretell.ts';
import type { Identification, IdentifyOptions } from './identification.ts';
import type { Identified } from './identified.ts';
import { refuseDegrees } from './mistakes/degrees.ts';
import { refuseOtherUnits } from './mistakes/other-units.ts';
import { refuseStill } from './mistakes/still.ts';
import { refuseTurnedTorques } from './mistakes/turned-torques.ts';
import { ofRobotAlone, withZeroColumns, withZeros, zeroColumns, zerosOfBeginning } from './mistakes/zeros.ts';
import { jointUnits, type Parameter } from './parameter-names.ts';
import { type PhysicalRobot, parametersOf } from './physical.ts';
import type { JointLog } from './reading/joint-log.ts';
import { namedIn, refuseOtherKinds } from './reading/kinds.ts';
import { channelsOf, fillLoads, withLoads, withReversals } from './recording/channels.ts';
import { recordingOf } from './recording/recording.ts';
import { JOINT_PARAMETERS, LINK_PARAMETERS } from './regressor.ts';
import type { Channel, Fit } from './robust-fit.ts';
import { robustFit } from './robust-fit.ts';
import { fitTorqueSensors, type TorqueSensors } from './torque-sensors.ts';
import { identifyUnsigned } from './unsigned.ts';

/** Rounds in which load friction and the torques that it depends on take turns. */
const LOAD_ROUNDS = 25;
/** Rounds in which zeros of positions and the derivatives by them are improved. */
const ZERO_ROUNDS = 3;
/**
 * Estimates the parameters of a robot from logs of its joints, by inverse dynamics, which are linear in the base
 * parameters; positions and torques are filtered alike. Bodies stay physical, and what the motion does not determine
 * stays near the model and is named.
 *
 * ```ts
 * const { robot: calibrated, combinations, undetermined } = identifyRobot(robot, [readJointLog(text, robot)]);
 * ```
 * @param logs several recordings are one estimate.
 * @throws GradsimError for a robot with ball or free joints, for positions in degrees that count as radians, and for torques
 * of turned sign.
 */
export function identifyRobot(robot: Robot, logs: readonly JointLog[], options: IdentifyOptions = {}): Identification {
  refuseUnknownOptions<IdentifyOptions>('identifyRobot', options, { ...DEFAULTS, gravity: GRAVITY });
  axisJoints(robot, true);
  const gravity = options.gravity ?? robot.gravity ?? GRAVITY;
  if (isFloating(robot)) return identifyFloating(robot, logs, { ...options, gravity }, identifyRobot);
  refuseUnfit(robot, logs, options);
  if (logs.some(({ isUnsigned }) => isUnsigned)) return identifyUnsigned(robot, logs, options, identifyRobot);
  return inverseDynamics(robot, logs, { ...DEFAULTS, ...options, gravity }).identification;
}

/** An identification by inverse dynamics, and what it was made of. */
export interface InverseDynamics {
  readonly identification: Identification;
  readonly details: Details;
  readonly namedParameters: readonly Parameter[];
  /** Gains and biases, if they are unknown. */
  readonly sensors: TorqueSensors | undefined;
  /** The same with other gains and biases. */
  readonly withSensors: (sensors: TorqueSensors) => InverseDynamics;
}

/** @throws GradsimError for no log, torques of unknown gain, and what coupled joints have not. */
export function refuseUnfit(
  robot: Robot,
  logs: readonly JointLog[],
  options: Pick<IdentifyOptions, 'torqueGain' | 'torqueBias' | 'loadFriction' | 'zeros'>,
): void {
  if (logs.length === 0) throw new GradsimError('robots/log-missing', 'identifyRobot: there is no log.');
  // A bias is that of a torque which is logged.
  if (options.torqueGain !== 'unknown')
    refuseCurrents(options.torqueBias === 'unknown' ? logs.map(withoutServos) : logs);
  refuseOfCoupled(robot, options);
}

/** Identifies a robot on a fixed base from logs with signs. */
export function inverseDynamics(
  robot: Robot,
  logs: readonly JointLog[],
  all: Required<IdentifyOptions>,
): InverseDynamics {
  const hasGain = all.torqueGain === 'unknown';
  refuseStill(robot, logs);
  refuseWithoutTorque(robot, logs);
  refuseOtherKinds(logs);
  const isTold = hasGain && logs.some(({ payload, commands, servos }) => payload || commands || servos);
  const namedParameters = namedIn(robot, hasGain ? withoutServos(logs[0]) : logs[0]);
  // Joints of different gains fit together once these are known about, whatever the delay.
  const begin = isTold ? logs.map(fitTorqueSensors(robot, logs, { ...all, delay: 0 }).corrected) : logs;
  const { details, ...found } = identify(robot, begin, all, namedParameters);
  // Delay and zeros come from the first estimate, in which friction takes most of a bias and all parameters take the gain.
  const moved = logs.map((log, r) => withZeros(log, details.zeros[r]));
  if (all.torqueGain === 'known' && all.torqueBias === 'known')
    return { identification: found, details, namedParameters, sensors: undefined, withSensors };
  const isDelayed = logs[0].commands !== undefined;
  return withSensors(
    fitTorqueSensors(robot, moved, { ...all, delay: isDelayed ? -found.delay.estimate : found.delay.estimate }),
  );

  function withSensors(sensors: TorqueSensors): InverseDynamics {
    const corrected = new Map(logs.map((log) => [log, sensors.corrected(log)]));
    const correctedOf = (log: JointLog): JointLog => corrected.get(log) ?? sensors.corrected(log);
    const { details: again, ...answer } = identify(
      robot,
      [...corrected.values()],
      all,
      namedParameters,
      sensors.gainErrors,
    );
    return {
      identification: {
        ...answer,
        undetermined: [...answer.undetermined, ...sensors.undetermined],
        torqueSensors: sensors.identified,
        corrected: correctedOf,
        predictTorques: (log) => answer.predictTorques(correctedOf(log)),
      },
      details: again,
      namedParameters,
      sensors,
      withSensors,
    };
  }
}

/**
 * Ratios of parameters from logs of a robot that swings freely, without any torque, which leaves the scale open.
 *
 * ```ts
 * const [{ name, estimate }] = ratiosOfFreeSwings(robot, logs); // (m cz of arm) / (Jyy of arm), -8.3
 * ```
 * @throws GradsimError for a robot with ball or free joints.
 */
export function ratiosOfFreeSwings(
  robot: Robot,
  logs: readonly JointLog[],
  options: Omit<ForetellOptions, 'delay'> = {},
): Identified[] {
  axisJoints(robot);
  const filtering = { ...DEFAULTS, ...options, gravity: options.gravity ?? robot.gravity ?? GRAVITY };
  return freeSwingRatios(robot, logs, filtering, columnOrder(robot));
}

/** Results of an identification that a refinement of it begins with. */
export interface Details {
  /** Combinations that the motion determines. */
  readonly base: BaseParameters;
  readonly physical: PhysicalRobot;
  /** Typical torque, N m. */
  readonly torque: number;
  /** Time by which torques are read later than positions, s, and false if it is known. */
  readonly delay: number;
  readonly hasDelay: boolean;
  /** Zeros of the positions of each log. */
  readonly zeros: readonly (readonly number[])[];
  /** Foretells torques by other parameters and another delay. */
  readonly foretellBy: (parameters: readonly number[], delay: number) => Identification['predictTorques'];
}

/** Identifies a robot from logs whose torques have a known gain and no bias. */
function identify(
  robot: Robot,
  logs: readonly JointLog[],
  { loadFriction: hasLoad, delay: range, zeros: zeroSeconds, ...filtering }: Required<IdentifyOptions>,
  namedParameters: readonly Parameter[],
  gainErrors: readonly number[] = [],
): Identification & { readonly details: Details } {
  const { torqueBand: band } = filtering;
  const hasCommands = logs.some(({ commands }) => commands);
  const robotOrder = columnOrder(robot);
  let recordings = logs.map((log) => recordingOf(robot, log, filtering));
  const count = recordings[0].columns[0].length;
  const joints = recordings[0].columns.length;
  let channels: readonly Channel[] = recordings.flatMap((recording) => channelsOf(recording, 0, band));
  refuseDegrees(robot, logs, channels, { order: robotOrder, filtering });
  if (filtering.torqueGain === 'known')
    refuseOtherUnits(robot, logs, { recordings, channels, order: robotOrder, filtering });
  const reversals = Array.from({ length: joints }, (_, j) => count + j);
  channels = withReversals(channels, recordings, band);
  let order = [...reversals, ...robotOrder];
  const delayed = fitDelay({ recordings, channels, order, band }, range);
  refuseTurnedTorques(robot, logs, delayed.channels, robotOrder);
  const hasDelay = range > 0 && delayed.isWithin;
  let { delay: by, fit } = delayed;
  channels = delayed.channels;
  const torque = Math.sqrt(mean(channels.map(({ torques }) => sumOfSquares(torques) / torques.length)));
  let physical = physicalOf(robot, ofRobotAlone(fit, count), { torque, hasLoad });
  const improve = (): void => {
    for (let round = 0; hasLoad && round < LOAD_ROUNDS; round++) {
      const parameters = parametersOf(physical.bodies, physical.joints);
      for (const recording of recordings) fillLoads(recording, parameters);
      channels = channels.map((channel, c) => withLoads(channel, recordings[Math.floor(c / joints)], band));
      fit = robustFit(channels, order, fit);
      physical = physicalOf(robot, ofRobotAlone(fit, count), { torque, hasLoad, start: physical });
    }
  };
  improve();
  const firstZero = count + joints;
  const zeros = logs.map(() => new Array<number>(joints).fill(0));
  for (let round = 0; zeroSeconds > 0 && logs.length > 1 && round < ZERO_ROUNDS; round++) {
    const parameters = parametersOf(physical.bodies, physical.joints);
    recordings = logs.map((log, r) => recordingOf(robot, withZeros(log, zeros[r]), filtering));
    if (hasLoad) for (const recording of recordings) fillLoads(recording, parameters);
    channels = withZeroColumns(
      withReversals(
        recordings.flatMap((recording) => channelsOf(recording, by, band)),
        recordings,
        band,
      ),
      recordings.map((recording) => zeroColumns(robot, recording, parameters, filtering)),
    );
    const own = Array.from({ length: (logs.length - 1) * joints }, (_, k) => firstZero + k);
    order = [...own, ...reversals, ...robotOrder];
    fit = robustFit(channels, order);
    if (hasDelay)
      ({ delay: by, channels, fit } = refineDelay({ recordings, channels, order, band }, { delay: by, channels, fit }));
    physical = physicalOf(robot, ofRobotAlone(fit, count), { torque, hasLoad, start: physical });
    improve();
    fit.base.independent.forEach((p, i) => {
      const k = p - firstZero;
      if (k >= 0) zeros[1 + Math.floor(k / joints)][k % joints] += fit.values[i];
    });
  }
  const parameters = parametersOf(physical.bodies, physical.joints);
  const direction = hasDelay ? delayDirection(recordings, channels, fit, { delay: by, band }) : undefined;
  const ofGains = gainErrors.map((error, j) => changeByGain(channels, fit, j).map((x) => error * x));
  const { scatter, ...answer } = answerOf({
    robot,
    namedParameters,
    recordings,
    channels,
    fit,
    direction,
    physical,
    torque,
    hasLoad,
    ofGains,
  });
  const delay: Identified = {
    name: hasCommands ? 'delay of commands' : 'delay of torques',
    unit: 's',
    estimate: hasCommands ? -by : by,
    standardError: hasDelay ? scatter.widenedErrors[fit.values.length] : range > 0 ? Number.POSITIVE_INFINITY : 0,
  };
  return {
    ...answer,
    trials: () => {
      const columns = recordings.map((recording) => zeroColumns(robot, recording, parameters, filtering));
      const terms = termsOf(robot, recordings, parameters, filtering, by, columns);
      // How a reversal changes is no estimate that could be moved.
      const estimated = scatter.widenedErrors.map((error, i) =>
        reversals.includes(fit.base.independent[i]) ? Number.POSITIVE_INFINITY : error,
      );
      return tryTerms(terms, fit, direction, channels, recordings, estimated);
    },
    spikes: recordings.flatMap((recording) => recording.spikes),
    stretches: stretchesOf(fit, channels, recordings),
    delay,
    zeros: zeroSeconds > 0 ? zerosNamed() : [],
    torqueSensors: [],
    corrected: (log) => log,
    predictTorques: foretellBy(parameters, by),
    details: { base: ofRobotAlone(fit, count).base, physical, torque, delay: by, hasDelay, zeros, foretellBy },
  };

  function foretellBy(parameters: readonly number[], by: number): Identification['predictTorques'] {
    return (log) => {
      const at = logs.indexOf(log);
      const isOther = zeroSeconds > 0 && at < 0;
      const own = isOther
        ? zerosOfBeginning(robot, log, parameters, { ...filtering, seconds: zeroSeconds, delay: by })
        : zeros[Math.max(at, 0)].map((zero) => (at < 0 ? 0 : zero));
      const recording = recordingOf(robot, withZeros(log, own), filtering);
      const told = predictTorquesOf(recording, parameters, by, band);
      return { ...told, from: isOther ? told.time.findIndex((t) => t > log.time[0] + zeroSeconds) : 0 };
    };
  }

  function zerosNamed(): Identified[] {
    const moved = axisJoints(robot);
    const units = robot.links.flatMap(({ values: { joint } }) =>
      joint === 'fixed' ? [] : [jointUnits(joint).position],
    );
    return logs.slice(1).flatMap(({ name }, r) =>
      moved.map((joint, j) => {
        const i = fit.base.independent.indexOf(firstZero + r * joints + j);
        return {
          name: `zero of ${joint} in ${name}`,
          unit: units[j],
          estimate: zeros[r + 1][j],
          standardError: i < 0 ? Number.POSITIVE_INFINITY : scatter.widenedErrors[i],
        };
      }),
    );
  }
}

/** A log whose commands or voltages become torques by gains that are unknown. */
export const withoutServos = ({ servos, ...log }: JointLog): JointLog => log;

/** Change of the values of a fit with the relative change of the gain of a joint's torques. */
function changeByGain(channels: readonly Channel[], fit: Fit, joint: number): number[] {
  const torques = channels.map((channel) =>
    channel.joint === joint ? channel.torques : new Float64Array(channel.torques.length),
  );
  return solveByFactor(fit.factor, gradientOf(channels, fit, undefined, torques));
}

/** First moments and inertias come first, masses last, so that combinations are named as usual: m1 c1 + l1 m2. */
export function columnOrder({ links }: Robot): number[] {
  const n = LINK_PARAMETERS.length;
  const rigid = links.flatMap((_, k) => [1, 2, 3, 6, 4, 5, 7, 8, 9].map((p) => n * k + p));
  const moved = links.filter(({ values }) => values.joint !== 'fixed');
  const own = (p: number): number[] => moved.map((_, j) => n * links.length + JOINT_PARAMETERS.length * j + p);
  return [...rigid, ...own(2), ...own(1), ...own(0), ...own(3), ...links.map((_, k) => n * k)];
}
