import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => vi.unstubAllEnvs());

/** The module, loaded anew with values of the environment; undefined for none. */
async function loadedWith(
  seed: string | undefined,
  nightly?: string,
  choice?: string,
): Promise<typeof import('../vitest/draws.ts')> {
  vi.stubEnv('CHOICE', choice);
  vi.stubEnv('SEED', seed);
  vi.stubEnv('GRADSIM_NIGHTLY', nightly);
  vi.resetModules();
  return import('../vitest/draws.ts');
}

const CASES = Array.from({ length: 40 }, (_, k) => k);

it('draws are few, in order, the same for the same CHOICE and others for another', async () => {
  const { drawn, draws, seedOfRun } = await loadedWith('7', undefined, '7');
  expect(draws(10, 1000)).toBe(10);
  const some = drawn(CASES, 12);
  expect(new Set(some).size).toBe(12);
  expect(some.toSorted((a, b) => a - b)).toEqual(some);
  expect([seedOfRun('a test'), seedOfRun('a share', 3)]).toEqual([7, 7]);
  expect((await loadedWith(undefined)).seedOfRun('a share', 3)).toBe(3);
  expect((await loadedWith(undefined, undefined, '7')).drawn(CASES, 12)).toEqual(some);
  expect((await loadedWith(undefined, undefined, '8')).drawn(CASES, 12)).not.toEqual(some);
});

it('each case comes up in one of many runs, and runs by night and by hand have all', async () => {
  const cases = new Set<number>();
  for (let choice = 1; choice <= 60; choice++)
    for (const one of (await loadedWith(undefined, undefined, `${choice}`)).drawn(CASES, 8)) cases.add(one);
  expect(cases.size).toBe(CASES.length);
  const nightly = await loadedWith('9', '1', '4');
  expect([nightly.draws(10, 1000), nightly.seedOfRun('a share', 3)]).toEqual([1000, 9]);
  expect(nightly.drawn(CASES, 8)).toEqual(CASES);
  for (const choice of [undefined, 'all']) {
    const byHand = await loadedWith(undefined, undefined, choice);
    expect(byHand.drawn(CASES, 8)).toEqual(CASES);
    expect(byHand.draws(10, 1000)).toBe(10);
  }
});
