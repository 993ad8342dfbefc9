import type { Recording } from '../recording/recording.ts';
import type { Channel, Fit } from '../robust-fit.ts';

/** Weight, relative to the largest of a joint, below which a sample hardly counts. */
const MIN_WEIGHT = 0.1;
/** Least length of a stretch, and longest gap within one, s. */
const [LEAST, GAP] = [0.3, 0.1];
/** Part of a recording above which stretches are no exception. */
const TOO_MUCH = 0.15;

/** A stretch of a recording that a fit leaves out, since the torque of a joint is far from what it needs. */
export interface Stretch {
  readonly log: string;
  /** Index of the joint. */
  readonly joint: number;
  readonly from: number;
  readonly to: number;
}

/** Finds stretches of recordings that do not count in a robust fit; none of a joint whose recording is full of them. */
export function stretchesOf(
  { weights }: Fit,
  channels: readonly Channel[],
  recordings: readonly Recording[],
): Stretch[] {
  const joints = channels.length / recordings.length;
  return channels.flatMap(({ joint, counts }, c) => {
    const { log, time, stride, step } = recordings[Math.floor(c / joints)];
    const most = weights[c].reduce((a, b) => Math.max(a, b), 0);
    const found: Stretch[] = [];
    for (const [s, weight] of weights[c].entries()) {
      if (counts[s] === 0 || weight > MIN_WEIGHT * most) continue;
      const at = time[s * stride];
      const last = found.at(-1);
      if (last && at - last.to <= Math.max(GAP, 1.5 * step * stride)) found[found.length - 1] = { ...last, to: at };
      else found.push({ log: log.name, joint, from: at, to: at });
    }
    const long = found.filter(({ from, to }) => to - from >= LEAST);
    const seconds = long.reduce((sum, { from, to }) => sum + to - from, 0);
    return seconds > TOO_MUCH * (time[time.length - 1] - time[0]) ? [] : long;
  });
}
