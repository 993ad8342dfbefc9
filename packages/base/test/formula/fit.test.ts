import { expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import { fitFormula, parseFormula } from '../../src/formula/index.ts';
import { standardNormal } from '../../src/index.ts';

const seed = seedOfRun('fits of formulas', 2);
const t = Array.from({ length: 150 }, (_, k) => k / 30);
const SWING = parseFormula('A exp(-g t) cos(w t + p) + c');
const [A, G, W, P, C] = [0.22, 0.15, 7.85, 0.3, 0.1];
const swing = t.map((time) => A * Math.exp(-G * time) * Math.cos(W * time + P) + C);
const valuesOf = (fit: NonNullable<ReturnType<typeof fitFormula>>) =>
  Object.fromEntries(fit.parameters.map(({ name, value }) => [name, value]));

it.each([
  ['as it was drawn', {}],
  ['from a negative frequency, turns away', { A: -0.2, g: 0.1, w: -7.9, p: 50.3, c: 0 }],
  ['from another turn', { A: 0.2, g: 0.1, w: 7.8, p: -12, c: 0 }],
])('finds an oscillation on its main branch, %s: frequency and amplitude above 0, phase within pi', (_, start) => {
  const random = randomNumbers(seed);
  const target = swing.map((y) => y + 0.001 * standardNormal(random));
  const found = valuesOf(fitFormula(SWING, { variables: { t }, target, errors: t.map(() => 0.001), start })!);
  for (const [name, truth] of Object.entries({ A, g: G, w: W, p: P, c: C }))
    expect(Math.abs(found[name] - truth), name).toBeLessThan(0.01);
});

it('keeps signs that the data determine', () => {
  const target = t.map((time) => 1 - 2 * time - 4.905 * time ** 2);
  const found = valuesOf(
    fitFormula(parseFormula('a t^2 + b t + c'), { variables: { t }, target, errors: t.map(() => 0.001) })!,
  );
  expect(found.a).toBeCloseTo(-4.905, 6);
  expect(found.b).toBeCloseTo(-2, 6);
});

it(`scatter between stretches tells of errors that points share, seed ${seed}`, () => {
  const random = randomNumbers(seed);
  const start = { A, g: G, w: W, p: P, c: C };
  // Beside independent noise half as much that lasts for three points: too little for neighbours to show it.
  const off = Array.from({ length: 60 }, () => {
    let shared = standardNormal(random);
    const target = swing.map((y) => {
      shared = 0.7 * shared + Math.sqrt(1 - 0.7 ** 2) * standardNormal(random);
      return y + 0.001 * (standardNormal(random) + shared / 2);
    });
    const { parameters } = fitFormula(SWING, { variables: { t }, target, errors: t.map(() => 0.001), start })!;
    const { value, standardError, scatterError } = parameters.find(({ name }) => name === 'c')!;
    return { alone: (value - C) / standardError, scattered: (value - C) / scatterError };
  });
  const rms = (of: readonly number[]): number => Math.sqrt(of.reduce((sum, v) => sum + v * v, 0) / of.length);
  // The same draws of both: bars by the noise alone are about 1.5 times too small.
  const [alone, scattered] = [rms(off.map((own) => own.alone)), rms(off.map((own) => own.scattered))];
  expect(alone).toBeGreaterThan(1.15);
  expect(scattered / alone).toBeLessThan(0.9);
});
