import type { Vector } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { Robot } from '../robot.ts';
import { noiseInBand } from './adequacy/noise.ts';
import { floatedLog, isFloating, withJointsForFreeBase } from './floating/floated.ts';
import { ofOwnJoints } from './floating/identify-floating.ts';
import type { IdentifyOptions, PredictedTorques } from './identification.ts';
import { parametersOfRobot } from './physical.ts';
import type { JointLog } from './reading/joint-log.ts';
import { fillLoads, inBand, neededTorques } from './recording/channels.ts';
import { lowPass } from './recording/low-pass.ts';
import { type Recording, recordingOf, torquesOf } from './recording/recording.ts';

/** Gravity of a robot whose file has none, m/s^2. */
export const GRAVITY: Vector = [0, 0, -9.81];
/** Defaults of {@link IdentifyOptions}. */
export const DEFAULTS = {
  motionBand: 15,
  torqueBand: 5,
  frictionWidth: 0.02,
  loadFriction: false,
  delay: 0.03,
  zeros: 0,
  torqueGain: 'known',
  torqueBias: 'known',
} as const;

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
export function foretellTorques(robot: Robot, log: JointLog, options: ForetellOptions = {}): PredictedTorques {
  refuseCurrents([log]);
  const known = { gravity: robot.gravity ?? GRAVITY, ...DEFAULTS, delay: 0, ...options };
  if (isFloating(robot))
    return ofOwnJoints(foretellTorques(withJointsForFreeBase(robot), floatedLog(robot, log, known.gravity), options));
  return predictTorquesOf(recordingOf(robot, log, known), parametersOfRobot(robot), known.delay, known.torqueBand);
}

/** @throws GradsimError for logs of commands, currents and voltages. */
export function refuseCurrents(logs: readonly JointLog[]): void {
  const commanded = logs.find(({ commands, servos }) => commands && !commands.gains && !servos);
  if (commanded)
    throw new GradsimError(
      'robots/log-commands',
      `${commanded.name} has commanded ${commanded.commands?.quantity} in the place of torques, and the gains of their controller are not known.`,
      {
        hint: "With torqueGain: 'unknown' (--set torqueGain=unknown) they are estimated, from a log with a known payload (--with-payload) or from the masses of the model. Or give a model in MJCF with a servo at each joint, such as <position kp kv>.",
      },
    );
  const switched = logs.find(({ hasVoltages, servos }) => hasVoltages && !servos);
  if (switched)
    throw new GradsimError(
      'robots/log-voltages',
      `${switched.name} has voltages in the place of torques, and the torque that a volt makes is not known.`,
      {
        hint: "With torqueGain: 'unknown' (--set torqueGain=unknown) it is estimated, from a log with a known payload (--with-payload) or from the masses of the model.",
      },
    );
  const log = logs.find(({ hasCurrents }) => hasCurrents);
  if (!log) return;
  throw new GradsimError(
    'robots/log-currents',
    `${log.name} has currents, and the torque that an ampere makes is not known.`,
    {
      hint: "With torqueGain: 'unknown' (--set torqueGain=unknown) it is estimated, from a log with a known payload (--with-payload) or from the masses of the model. Or multiply currents by the motors' torque constants, and name the columns tau.",
    },
  );
}

/** The torques that known parameters need for the motion of a recording. */
export function predictTorquesOf(
  recording: Recording,
  parameters: readonly number[],
  delay: number,
  band: number,
): PredictedTorques {
  fillLoads(recording, parameters);
  const { time, knownTorques, step, bases, groups } = recording;
  const add = (torque: Float64Array, j: number): Float64Array => torque.map((x, s) => x + knownTorques[j][s]);
  const measured = torquesOf(recording, delay).map(add);
  const foretold = neededTorques(recording, parameters, band).map((torque, j) =>
    lowPass(knownTorques[j], band, step).map((x, s) => x + torque[s]),
  );
  // The torque of a joint that follows is in that of its leader.
  const own = <T>(of: readonly T[]): readonly T[] => of.filter((_, j) => groups[j].length > 0);
  return {
    time,
    positions: own(recording.positions),
    rates: own(recording.rates),
    predicted: own(foretold),
    measured: own(measured),
    slides: own(recording.slides),
    noise: own(measured).map((torque) => noiseInBand(torque, band, step, bases > 0 ? recording.slides[0] : undefined)),
    from: 0,
    inBand: own(measured).map((torque) => inBand(torque, recording, band)),
  };
}
