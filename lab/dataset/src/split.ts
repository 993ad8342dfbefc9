import { randomOf } from './random.ts';
import type { Split } from './sample.ts';

/** Number of consecutive samples of which one, drawn by the seed, belongs to the test set. */
const GROUP_SIZE = 5;
/** Extra key of the split's random numbers, which makes them independent of those of the scenes. */
const SPLIT_SEED = 0x73706c69;

/** Returns the set that a sample belongs to; one of every five consecutive samples is for testing. */
export function splitOf(seed: number, sample: number): Split {
  const chosen = Math.floor(GROUP_SIZE * randomOf(seed, Math.floor(sample / GROUP_SIZE), SPLIT_SEED)());
  return sample % GROUP_SIZE === chosen ? 'test' : 'train';
}
