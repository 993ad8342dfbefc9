import type { Robot } from '../robot.ts';
import { foretellTorques } from './foretell.ts';
import type { Identification, IdentifyOptions } from './identification.ts';
import type { JointLog } from './reading/joint-log.ts';
import { resampled } from './recording/low-pass.ts';

/** Rounds in which signs and the robot that says them take turns, and the part of samples that may still change theirs. */
const ROUNDS = 8;
const SETTLED = 1e-4;

/**
 * Identifies a robot from currents without signs, which are those of the torques that the motion needs: first by the model as
 * given, then by what was found, until they stay.
 */
export function identifyUnsigned(
  robot: Robot,
  logs: readonly JointLog[],
  options: IdentifyOptions,
  identifyRobot: (robot: Robot, logs: readonly JointLog[], options: IdentifyOptions) => Identification,
): Identification {
  let signed = logs.map((log) => signedBy(robot, log, options, 0));
  let found = identifyRobot(robot, signed, options);
  for (let round = 1; round < ROUNDS; round++) {
    const { robot: better, delay } = found;
    const next = logs.map((log) => signedBy(better, log, options, delay.estimate));
    const changed = changedSigns(signed, next);
    signed = next;
    if (changed < SETTLED) break;
    found = identifyRobot(robot, signed, options);
  }
  const { robot: last, delay } = found;
  const known = new Map(logs.map((log, r) => [log, signed[r]]));
  const of = (log: JointLog): JointLog => known.get(log) ?? signedBy(last, log, options, delay.estimate);
  return {
    ...found,
    corrected: (log) => found.corrected(of(log)),
    predictTorques: (log) => found.predictTorques(of(log)),
  };
}

/** A log whose currents have the signs of the torques that a robot needs for its motion; others stay as they are. */
function signedBy(
  robot: Robot,
  log: JointLog,
  { gravity, motionBand, torqueBand, frictionWidth }: IdentifyOptions,
  delay: number,
): JointLog {
  const { isUnsigned, hasCurrents, ...rest } = log;
  if (!isUnsigned) return log;
  const given = Object.entries({ gravity, motionBand, torqueBand, frictionWidth }).filter(([, value]) => value);
  const { time, predicted } = foretellTorques(robot, rest, Object.fromEntries(given));
  const [start, step] = [time[0], time[1] - time[0]];
  const even = Array.from(time);
  return {
    ...rest,
    ...(hasCurrents && { hasCurrents }),
    torques: log.torques.map((currents, j) => {
      const needed = resampled(even, Array.from(predicted[j]), { start: start - delay, step, count: time.length });
      return currents.map((x, s) => {
        const at = Math.min(Math.max(Math.round((log.time[s] - start) / step), 0), needed.length - 1);
        return needed[at] < 0 ? -x : x;
      });
    }),
  };
}

/** Part of the samples whose sign differs. */
function changedSigns(before: readonly JointLog[], after: readonly JointLog[]): number {
  let [changed, all] = [0, 0];
  for (const [r, { torques }] of before.entries())
    for (const [j, own] of torques.entries())
      for (const [s, x] of own.entries()) {
        all++;
        if (x !== after[r].torques[j][s]) changed++;
      }
  return changed / all;
}
