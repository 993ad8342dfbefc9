// How much random tests draw, and from which seed: few cases in `npm test`, all or a thousand in `npm run -s bench -- nightly`.
import { it } from 'vitest';
import { randomNumbers } from '../packages/base/src/statistics/random.ts';

/** Whether `bench -- nightly` runs the tests; it sets GRADSIM_NIGHTLY, and SEED. */
const isNightly = Boolean(process.env.GRADSIM_NIGHTLY);

/** Of the system, since `Math.random` repeats in `npm test`. */
const NEW_SEED = crypto.getRandomValues(new Uint32Array(1))[0] >>> 1;

/** True if this run takes all cases and all slow tests: nightly, and with CHOICE=all, which draws no more than usual. */
const takesAll = isNightly || process.env.CHOICE === 'all';

/** Which cases and which slow tests this run takes: CHOICE or SEED of the environment, or others in each run. */
const CHOICE = Number(process.env.CHOICE ?? process.env.SEED ?? NEW_SEED);

/** Number of draws: `few` in `npm test`, `many` in nightly runs. */
export const draws = (few: number, many: number): number => (isNightly ? many : few);

/**
 * Some of the cases of a test, in their order: others after each change, and all in nightly runs. For cases of which each is a
 * test of its own, and takes seconds. A number below 1 is a chance: 1 / 3 takes one case after one change in three.
 */
export function drawn<T>(cases: readonly T[], few: number): T[] {
  if (takesAll) return [...cases];
  const random = randomNumbers(seedOf(String(cases)));
  const count = few < 1 ? Number(random() < few) : few;
  // Each case is taken with the chance with which those still needed lie among those left. Source: Knuth, algorithm S.
  let taken = 0;
  return cases.filter((_, k) => {
    const isTaken = random() * (cases.length - k) < count - taken;
    if (isTaken) taken++;
    return isTaken;
  });
}

/** Tests by their titles, of which `few` are drawn in `npm test`: each is one that takes seconds. */
export function someOf(few: number, tests: Readonly<Record<string, () => unknown>>): void {
  for (const [title, test] of drawn(Object.entries(tests), few)) it(title, test);
}

/** Returns whether a test that takes five seconds or more is among those of this run of `npm test`: one in three. */
export const isTurnOf = (test: string): boolean => takesAll || randomNumbers(seedOf(test))() * 3 < 1;

/** Seed of what CHOICE decides about a test or its cases. */
const seedOf = (name: string): number =>
  [...name].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0, CHOICE >>> 0);

/**
 * Seed of what a test draws, printed with the name of the test: SEED of the environment, else a new one in nightly runs, else
 * `usual`. What only one seed in a thousand shows is for a night to find, and not for whoever commits that day.
 * `SEED=... vitest run FILE` repeats it.
 */
export function seedOfRun(test: string, usual = 1): number {
  const seed = Number(process.env.SEED ?? (isNightly ? NEW_SEED : usual));
  console.info(`${test}: SEED=${seed}`);
  return seed;
}
