// Films of a chain that hangs and swings, drawn by the closed form of its small swings. Its free end fades where it is fast.

import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

import { once } from '../../../scripts/vitest/once.ts';
import { chain } from '../src/index.ts';
import { emptyScene, evenTimes, filmed, found, SIZE } from './support/films.ts';

const random = randomNumbers(seedOfRun('chains'));
const between = (low: number, high: number): number => low + (high - low) * random();

const [G, PIXELS, SECONDS, WIDTH, PIECES] = [9.81, 170, 3, 4, 24];
/** Number of pieces at the free end that are not seen where it is as fast as within this part of the length of straight below. */
const [FADED, FAST] = [3, 0.04];
const LENGTH = between(0.8, 1);
const DAMPING = between(0.05, 0.2);
const HOOK = [SIZE.width / 2, 30] as const;

/** Zeros of the Bessel function J0, and J0 as the mean of cos(z sin t), by the midpoint rule. */
const ZEROS = [2.404825558, 5.52007811, 8.653727913];
const STEPS = 40;
const bessel = (z: number): number =>
  Array.from({ length: STEPS }, (_, k) => Math.cos(z * Math.sin((Math.PI * (k + 0.5)) / STEPS))).reduce(
    (sum, c) => sum + c / STEPS,
    0,
  );
const WAVES = ZEROS.map((zero, k) => ({
  zero,
  frequency: Math.sqrt((zero / 2) ** 2 * (G / LENGTH) - DAMPING ** 2),
  amount: k === 0 ? between(0.12, 0.16) : between(-0.02, 0.02) / k,
  phase: between(-Math.PI, Math.PI),
}));

/** Points of the chain at a time, px: each piece as long as the others, at the angle of the sum of the swings. */
function lineAt(t: number): [number, number][] {
  const aside = (part: number): number =>
    WAVES.reduce(
      (sum, { zero, frequency, amount, phase }) =>
        sum + amount * Math.exp(-DAMPING * t) * Math.cos(frequency * t + phase) * bessel(zero * Math.sqrt(1 - part)),
      0,
    );
  const line: [number, number][] = [[...HOOK]];
  for (let k = 0; k < PIECES; k++) {
    const angle = Math.asin(PIECES * (aside((k + 1) / PIECES) - aside(k / PIECES)));
    const piece = (PIXELS * LENGTH) / PIECES;
    line.push([line[k][0] + piece * Math.sin(angle), line[k][1] + piece * Math.cos(angle)]);
  }
  return line;
}
const seenAt = (t: number): [number, number][] => {
  const line = lineAt(t);
  return Math.abs(line[PIECES][0] - HOOK[0]) < FAST * PIXELS * LENGTH ? line.slice(0, -FADED) : line;
};
const film = once(() => filmed(evenTimes(SECONDS), { radius: WIDTH, line: seenAt }));
const set = {
  background: await emptyScene(),
  ends: `20,30,20,${30 + 0.8 * PIXELS}`,
  span: '0.8',
  fieldOfView: '40',
  chroma: 'centre',
  lengthTolerance: '0.002',
};

describe('from a film of a chain that swings', () => {
  const cases = [
    ['gravity', G, { length: `${LENGTH}` }],
    ['length', LENGTH, { gravity: `${G}` }],
  ] as const;
  it.each(cases)('%s, truly %d, and damping are found', async (name, truth, known) => {
    const { parameters, derived, verdict } = await found(chain, await film(), { ...set, ...known });
    const { estimate, standardError } = parameters[name];
    console.info(JSON.stringify({ name, truth, damping: DAMPING, parameters, derived }));
    expect(verdict.findings.filter(({ isCritical }) => isCritical)).toEqual([]);
    expect(Math.abs(estimate - truth)).toBeLessThan(4 * standardError!);
    expect(standardError! / truth).toBeLessThan(0.02);
    expect(Math.abs(parameters.damping.estimate - DAMPING)).toBeLessThan(4 * parameters.damping.standardError!);
    const period = derived!['period of the slowest swing'];
    expect(period.estimate / ((4 * Math.PI) / ZEROS[0] / Math.sqrt(G / LENGTH))).toBeCloseTo(1, 2);
  });
});

it('gravity by a length that is wrong is questioned', async () => {
  const { verdict } = await found(chain, await film(), { ...set, length: `${0.9 * LENGTH}` });
  expect(verdict.trusted).toBe(false);
  expect(verdict.findings.map(({ kind }) => kind)).toContain('unusual');
});
