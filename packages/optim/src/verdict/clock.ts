import type { FrameClock } from '@gradsim/core';
import type { ClockError, Uncertainty } from '../covariance/uncertainty.ts';
import type { Finding } from '../problem/finding.ts';
import type { Case } from './case.ts';
import { short, toldFrom } from './numbers.ts';

/** Name of the frame rate among given quantities. */
const NAME = 'frame rate';
/** Difference between the given rate and the film's, in its standard deviations, above which they contradict each other. */
const CONTRADICTS = 3.5;

/** Part of an unknown's standard error that an error of the frame rate causes, by name; empty without a tolerance. */
export const clockShare = ({ clock }: Uncertainty, i: number, slope: number): Record<string, number> =>
  clock ? { [NAME]: Math.abs(slope * clock.moved[i]) } : {};

/** Values of a given quantity in a result. */
type Rate = Readonly<Record<'value' | 'tolerance' | 'estimate' | 'standardError', number>> & { readonly unit: string };

/** Frame rate as a given quantity, by name; empty without a tolerance. */
export const givenClock = (clock: ClockError | undefined): Record<string, Rate> =>
  clock
    ? {
        [NAME]: {
          value: clock.frameRate,
          tolerance: clock.tolerance * clock.frameRate,
          estimate: (1 + clock.off) * clock.frameRate,
          standardError: clock.standardError * clock.frameRate,
          unit: '1/s',
        },
      }
    : {};

/** Makes a finding if the motion in the film contradicts the given frame rate. */
export function againstClock({ uncertainty }: Case): Finding[] {
  const clock = uncertainty?.clock;
  if (!clock || clock.contradiction < CONTRADICTS) return [];
  const { frameRate, tolerance, off, standardError, contradiction } = clock;
  const seen = (1 + off) * frameRate;
  return [
    {
      kind: 'against given',
      isCritical: true,
      note: `The frame rate was given as ${toldFrom(frameRate, seen)} ± ${short(tolerance * frameRate)} 1/s, but with it the observations indicate ${toldFrom(seen, frameRate)} ± ${short(standardError * frameRate)} 1/s, ${contradiction.toFixed(1)} standard deviations from what is expected. Find out how many frames a second were taken; otherwise the model lacks something with the same effect. The estimates are those of the given rate.`,
    },
  ];
}

/** Makes a finding that names uneven times as a cause of other findings. */
export const timesOf = ({ unevenTimes }: Case): Finding[] =>
  unevenTimes === undefined
    ? []
    : [
        {
          kind: 'uneven times',
          isCritical: true,
          note: `Frames are at uneven times: ${unevenTimes}, used as stated. If pictures were not taken at these times, that alone may cause all that follows: look at this first.`,
        },
      ];

/** Describes the times of frames, if they are not even. */
export function unevenness({ frameTimes }: FrameClock): string | undefined {
  if (!frameTimes || frameTimes.length < 3) return undefined;
  const intervals = frameTimes.slice(1).map((time, k) => 1000 * (time - frameTimes[k]));
  const [shortest, longest] = [intervals.reduce((a, b) => Math.min(a, b)), intervals.reduce((a, b) => Math.max(a, b))];
  return longest - shortest > 1e-3 * longest ? `${short(shortest)} to ${short(longest)} ms apart` : undefined;
}
