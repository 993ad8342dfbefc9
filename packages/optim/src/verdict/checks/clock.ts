import type { FrameClock } from '@gradsim/core';
import type { Check } from '../../posterior/check.ts';
import { formatDistinctFrom, twoDigits } from '../../posterior/sentences.ts';
import type { Subject } from '../subject.ts';

/** Difference between the given rate and the film's, in its standard deviations, above which they contradict each other. */
const MIN_CONTRADICTION = 3.5;

/** Finds a given frame rate that the motion in the film contradicts. */
export const againstFrameRate: Check<Subject, 'uncertainty'> = {
  kind: 'against given',
  rank: 140,
  isCritical: true,
  needs: ['uncertainty'],
  find: ({ uncertainty: { clock } }) => {
    if (!clock || clock.contradiction < MIN_CONTRADICTION) return [];
    const { frameRate, tolerance, deviation, standardError, contradiction } = clock;
    const seen = (1 + deviation) * frameRate;
    return {
      note: `The frame rate was given as ${formatDistinctFrom(frameRate, seen)} ± ${twoDigits(tolerance * frameRate)} 1/s, but with it the observations indicate ${formatDistinctFrom(seen, frameRate)} ± ${twoDigits(standardError * frameRate)} 1/s, ${contradiction.toFixed(1)} standard deviations from what is expected. Find out how many frames a second were taken; otherwise the model lacks something with the same effect. The estimates are those of the given rate.`,
    };
  },
};

/** Kinds of critical findings that frames at other times than stated would not cause. */
export const NOT_OF_TIMES: ReadonlySet<string> = new Set([
  ...(['interrupted', 'no overlap', 'false derivatives', 'precision', 'no standard errors', 'unfinished'] as const),
  ...(['no minimum', 'other minimum', 'substep', 'mesh', 'undetermined'] as const),
]);

/** Names uneven times as a cause of the critical findings before. */
export const unevenTimes: Check<Subject> = {
  kind: 'uneven times',
  rank: 0,
  isCritical: true,
  find: ({ problem }, before) => {
    const times = problem.unevenTimes ?? unevenness(problem);
    if (times === undefined || !before.some(({ kind, isCritical }) => isCritical && !NOT_OF_TIMES.has(kind))) return [];
    return {
      note: `Frames are at uneven times: ${times}, used as stated. If pictures were not taken at these times, that alone may cause all that follows: look at this first.`,
    };
  },
};

/** Describes the times of frames, if they are not even. */
function unevenness({ frameTimes }: FrameClock): string | undefined {
  if (!frameTimes || frameTimes.length < 3) return undefined;
  const intervals = frameTimes.slice(1).map((time, k) => 1000 * (time - frameTimes[k]));
  const [shortest, longest] = [intervals.reduce((a, b) => Math.min(a, b)), intervals.reduce((a, b) => Math.max(a, b))];
  return longest - shortest > 1e-3 * longest ? `${twoDigits(shortest)} to ${twoDigits(longest)} ms apart` : undefined;
}
