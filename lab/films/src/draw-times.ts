import type { Random } from './random.ts';

/** Ways in which the times of a film's frames can be uneven; `all` is all three at once. */
export const UNEVEN_KINDS = ['dropped', 'variable', 'jitter', 'all'] as const;
export type Uneven = (typeof UNEVEN_KINDS)[number];

/** Probability that a frame is dropped, and that the next one is too. */
const DROP_PROBABILITY = 0.12;
const REPEAT_PROBABILITY = 0.35;
/** Slowest part of the usual rate to which a rate may fall. */
const MIN_RATE_FACTOR = 0.5;
/** Largest change of an interval by jitter, in parts of it. */
const MAX_JITTER = 0.25;

/** Draws the times of a film's frames, s from 0 to the end of the film. */
export function drawTimes(way: Uneven, random: Random, { seconds, rate }: { seconds: number; rate: number }): number[] {
  const has = (own: Uneven): boolean => way === own || way === 'all';
  // The rate falls and rises again within the film, once each.
  const [from, to] = has('variable') ? [random.between(0.1, 0.5), random.between(0.55, 0.9)] : [1, 1];
  const slow = random.between(MIN_RATE_FACTOR, 0.85);
  const times = [0];
  let [time, isDropping] = [0, false];
  for (;;) {
    const part = time / seconds;
    const interval = 1 / (rate * (part >= from && part < to ? slow : 1));
    time += interval * (has('jitter') ? 1 + MAX_JITTER * random.between(-1, 1) : 1);
    if (time >= seconds) return times;
    isDropping = has('dropped') && random.unit() < (isDropping ? REPEAT_PROBABILITY : DROP_PROBABILITY);
    if (!isDropping) times.push(time);
  }
}
