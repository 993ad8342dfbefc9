// Set-up of each test file: `Math.random`, from which checks of derivatives draw their points where they are given no seed,
// repeats in each run of `npm test`. Nightly runs draw anew.
import { randomNumbers } from '../../packages/base/src/statistics/random.ts';

if (!process.env.GRADSIM_NIGHTLY) Math.random = randomNumbers(1);
