// How much random tests draw, and from which seed: few cases in `npm test`, all or a thousand in `npm run -s bench -- nightly`.
import { beforeEach, TestRunner } from 'vitest';
import { randomNumbers as drawFrom, standardNormal } from '../../packages/base/src/statistics/random.ts';

/** Whether `bench -- nightly` runs the tests; it sets GRADSIM_NIGHTLY, and SEED. */
const isNightly = Boolean(process.env.GRADSIM_NIGHTLY);

/** Number of the commit, by which `npm test` takes cases and slow tests. Absent where tests are run by hand. */
const { CHOICE = 'all' } = process.env;

/** True if this run takes all cases and all slow tests: by night, by hand, and with CHOICE=all. */
export const takesAll = isNightly || CHOICE === 'all';

/** Number of draws: `few` in `npm test`, `many` in nightly runs. */
export const draws = (few: number, many: number): number => (isNightly ? many : few);

/** Some of the cases of a test, in their order: others after each change, and all in nightly runs. */
export function drawn<T>(cases: readonly T[], few: number): T[] {
  if (takesAll) return [...cases];
  const random = drawFrom(seedOf(String(cases)));
  // Each case is taken with the chance with which those still needed lie among those left. Source: Knuth, algorithm S.
  let taken = 0;
  return cases.filter((_, k) => {
    const isTaken = random() * (cases.length - k) < few - taken;
    if (isTaken) taken++;
    return isTaken;
  });
}

/** Returns whether a suite whose preparation is slow is taken: by one run in three. Other slow tests take turns by themselves (turns.ts). */
export const isTurnOf = (suite: string): boolean => takesAll || drawFrom(seedOf(suite))() * 3 < 1;

/** Seed of what CHOICE decides about a test or its cases. */
export const seedOf = (name: string): number =>
  [...name].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0, Number(CHOICE) >>> 0);

/**
 * Seed of what a test draws, printed with the name of the test: SEED of the environment, else a new one in nightly runs, else
 * `usual`. What only one seed in a thousand shows is for a night to find, and not for whoever commits that day.
 * `SEED=... vitest run FILE` repeats it.
 */
export function seedOfRun(test: string, usual = 1): number {
  const seed = Number(process.env.SEED ?? (isNightly ? Math.floor(Math.random() * 2 ** 31) : usual));
  console.info(`${test}: SEED=${seed}`);
  return seed;
}

/**
 * Uniform random numbers in [0, 1) from a seed. What is made outside of tests begins anew with each test: what a test draws does
 * not depend on which tests ran before it.
 */
export function randomNumbers(seed: number): () => number {
  let random = drawFrom(seed);
  if (!TestRunner.getCurrentTest()) {
    beforeEach(() => {
      random = drawFrom(seed);
    });
  }
  return () => random();
}

/** Uniform random numbers between limits, from -1 to 1 where none are given, drawn as those of {@link randomNumbers}. */
export function randomBetween(seed: number): (low?: number, high?: number) => number {
  const random = randomNumbers(seed);
  return (low = -1, high = 1) => low + (high - low) * random();
}

/** Random numbers of the standard normal distribution, from uniform ones. */
export const normalNumbers = (random: () => number) => (): number => standardNormal(random);
