import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => vi.unstubAllEnvs());

/** The module, loaded anew with values of the environment; undefined for none. */
async function loadedWith(
  seed: string | undefined,
  nightly?: string,
  choice?: string,
): Promise<typeof import('../draws.ts')> {
  vi.stubEnv('CHOICE', choice);
  vi.stubEnv('SEED', seed);
  vi.stubEnv('GRADSIM_NIGHTLY', nightly);
  vi.resetModules();
  return import('../draws.ts');
}

const CASES = Array.from({ length: 40 }, (_, k) => k);

it('draws are few, in order, the same for the same SEED and others for another', async () => {
  const { drawn, draws, seedOfRun } = await loadedWith('7');
  expect(draws(10, 1000)).toBe(10);
  const some = drawn(CASES, 12);
  expect(new Set(some).size).toBe(12);
  expect(some.toSorted((a, b) => a - b)).toEqual(some);
  expect([seedOfRun('a test'), seedOfRun('a share', 3)]).toEqual([7, 7]);
  expect((await loadedWith(undefined)).seedOfRun('a share', 3)).toBe(3);
  expect((await loadedWith('7')).drawn(CASES, 12)).toEqual(some);
  expect((await loadedWith('8')).drawn(CASES, 12)).not.toEqual(some);
});

it('each case comes up in one of many runs, each test takes its turn, and nightly runs have all', async () => {
  const cases = new Set<number>();
  let turns = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const { drawn, isTurnOf } = await loadedWith(`${seed}`);
    for (const one of drawn(CASES, 8)) cases.add(one);
    turns += Number(isTurnOf('a test'));
  }
  expect(cases.size).toBe(CASES.length);
  // Of 60 runs one in three is 20, give or take four standard deviations of 3.7.
  expect(turns).toBeGreaterThan(5);
  expect(turns).toBeLessThan(35);
  const { drawn, draws, isTurnOf, seedOfRun } = await loadedWith('9', '1');
  expect([draws(10, 1000), isTurnOf('a test'), seedOfRun('a share', 3)]).toEqual([1000, true, 9]);
  expect(drawn(CASES, 8)).toEqual(CASES);
});

it('CHOICE=all takes all cases and slow tests, and draws few', async () => {
  const { drawn, draws, isTurnOf } = await loadedWith(undefined, undefined, 'all');
  expect(drawn(CASES, 8)).toEqual(CASES);
  expect([draws(10, 1000), isTurnOf('a test')]).toEqual([10, true]);
});

it('of cases with a chance below 1 one is taken, in that share of runs', async () => {
  const counts = [0, 0];
  for (let seed = 1; seed <= 60; seed++) counts[(await loadedWith(`${seed}`)).drawn(CASES, 1 / 3).length]++;
  expect(counts[0] + counts[1]).toBe(60);
  // 20, give or take four standard deviations of 3.7.
  expect(counts[1]).toBeGreaterThan(5);
  expect(counts[1]).toBeLessThan(35);
});
