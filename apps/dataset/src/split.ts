import { randomOf } from './random.ts';
import type { Split } from './sample.ts';

/** Samples of which one, drawn by the seed, is for testing. */
const GROUP = 5;
/** Distinguishes these numbers from those that scenes are drawn with. */
const OF_SPLIT = 0x73706c69;

/** The part that a sample belongs to; exactly one of each five in a row is for testing. */
export function splitOf(seed: number, sample: number): Split {
  const chosen = Math.floor(GROUP * randomOf(seed, Math.floor(sample / GROUP), OF_SPLIT)());
  return sample % GROUP === chosen ? 'test' : 'train';
}
