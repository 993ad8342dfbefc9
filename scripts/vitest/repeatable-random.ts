// Set-up of each test file: `Math.random`, from which checks of derivatives draw their points where they are given no seed,
// repeats in each test of `npm test`, whichever ran before. Nightly runs draw anew.
import { beforeEach } from 'vitest';
import { randomNumbers } from '../../packages/base/src/statistics/random.ts';

const repeat = (): void => {
  Math.random = randomNumbers(1);
};

if (!process.env.GRADSIM_NIGHTLY) {
  repeat();
  beforeEach(repeat);
}
