import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import { fitFormula, parseFormula } from '../../src/formula/index.ts';
import { standardNormal } from '../../src/index.ts';

const evaluate = (text: string, given: Record<string, number> = {}): number => {
  const { names, value } = parseFormula(text);
  return value(names.map((name) => given[name]));
};

describe('parseFormula', () => {
  it.each([
    ['1 + 2 * 3 ^ 2', 19],
    ['-2^2', -4],
    ['2^3^2', 512],
    ['2^-1', 0.5],
    ['8 / 4 / 2', 1],
    ['7 - 4 - 2', 1],
    ['(1 + 2)(3 + 4)', 21],
    ['2 pi', 2 * Math.PI],
    ['2 sin(pi/2)^2', 2],
    ['sqrt(9) ln(exp(2))', 6],
    ['1.5e-3 * 2', 3e-3],
    ['3²·2', 18],
    ['2**3', 8],
    ['- - 3', 3],
  ])('%s is %d', (text, value) => expect(evaluate(text)).toBeCloseTo(value, 12));

  it('multiplies what stands side by side', () => {
    const given = { a: 2, b: 3, c: 5, t: 4 };
    expect(evaluate('a t^2 + b t + c', given)).toBe(49);
    expect(evaluate('a (t - b)', given)).toBe(2);
    expect(evaluate('2t', given)).toBe(8);
    expect(parseFormula('A*exp(-g*t)*cos(w*t+p)+c').names).toEqual(['A', 'g', 't', 'w', 'p', 'c']);
  });

  it.each([
    ['a +', /ends where/],
    ['(a', /not closed/],
    ['a)', /not opened/],
    ['sinn(t)', /no function sinn/],
    ['sin t', /sin needs a bracket/],
    ['a ; b', /";" is not understood/],
    ['* a', /"\*" stands where/],
    ['', /ends where/],
    ['t^2^', /ends where/],
  ])('refuses "%s"', (text, reason) => expect(() => parseFormula(text)).toThrow(reason));
});

/** Times of 60 frames of which some are missing, s, and values with noise of a standard deviation. */
const t = Array.from({ length: 60 }, (_, k) => k / 30).filter((_, k) => k % 7 !== 3);
const seed = seedOfRun('formulas');
const noisy = (of: (time: number) => number, sigma: number) => {
  const random = randomNumbers(seed);
  return {
    variables: { t },
    target: t.map((time) => of(time) + sigma * standardNormal(random)),
    errors: t.map(() => sigma),
  };
};
const fit = (text: string, data: Parameters<typeof fitFormula>[1]) => fitFormula(parseFormula(text), data)!;

describe(`fitFormula, seed ${seed}`, () => {
  it('gives the standard errors of linear least squares for a parabola', () => {
    const data = noisy((time) => -4.905 * time ** 2 + 3 * time + 1, 0.01);
    const { parameters, chiSquare, degreesOfFreedom, undetermined } = fit('a t^2 + b t + c', data);
    // Of the normal equations: (X^T X)^-1 sigma^2.
    const rows = t.map((time) => [time ** 2, time, 1]);
    const normal = [0, 1, 2].map((i) => [0, 1, 2].map((j) => rows.reduce((sum, row) => sum + row[i] * row[j], 0)));
    const [[a, b, c], [, d, e], [, , f]] = normal;
    const determinant = a * (d * f - e * e) - b * (b * f - e * c) + c * (b * e - d * c);
    const exact = [(d * f - e * e) / determinant, (a * f - c * c) / determinant, (a * d - b * b) / determinant];
    parameters.forEach(({ name, value, standardError }, k) => {
      const place = ['a', 'b', 'c'].indexOf(name);
      expect(standardError).toBeCloseTo(0.01 * Math.sqrt(exact[place]), 7);
      expect(Math.abs(value - [-4.905, 3, 1][k])).toBeLessThan(5 * standardError);
    });
    expect(undetermined).toEqual([]);
    expect(degreesOfFreedom).toBe(t.length - 3);
    // Within 5 standard deviations of the chi-square distribution.
    expect(Math.abs(chiSquare - degreesOfFreedom)).toBeLessThan(5 * Math.sqrt(2 * degreesOfFreedom));
  });

  it('finds frequency, phase and damping of an oscillation without being told where to start', () => {
    const truth = { A: 0.12, g: 0.35, w: 11.3, p: 0.8, c: 0.4 };
    const data = noisy((time) => 0.12 * Math.exp(-0.35 * time) * Math.cos(11.3 * time + 0.8) + 0.4, 0.002);
    const found = fit('A*exp(-g*t)*cos(w*t+p)+c', data);
    const values = Object.fromEntries(found.parameters.map(({ name, value }) => [name, value]));
    // A and w with the other sign, and p with another turn, are the same curve.
    for (const { name, standardError } of found.parameters)
      if (name !== 'p')
        expect(Math.abs(Math.abs(values[name]) - truth[name as keyof typeof truth])).toBeLessThan(5 * standardError);
    expect(values.A * Math.cos(values.p)).toBeCloseTo(0.12 * Math.cos(0.8), 2);
    expect(found.chiSquare / found.degreesOfFreedom).toBeLessThan(2);
  });

  it('names parameters of which only a combination is determined', () => {
    const data = noisy((time) => 2 * time + 1, 0.01);
    const { parameters, undetermined } = fit('a b t + c', data);
    expect(undetermined).toEqual(['a', 'b']);
    expect(parameters.find(({ name }) => name === 'a')!.standardError).toBe(Number.POSITIVE_INFINITY);
    expect(parameters.find(({ name }) => name === 'c')!.standardError).toBeLessThan(0.01);
  });

  it('shows by chi-square and by residuals that follow each other that a formula misses something', () => {
    const { chiSquare, degreesOfFreedom, autocorrelation } = fit(
      'a t + b',
      noisy((time) => time ** 2, 0.01),
    );
    expect(chiSquare / degreesOfFreedom).toBeGreaterThan(100);
    expect(autocorrelation).toBeGreaterThan(0.8);
  });

  it('returns nothing for more parameters than points', () => {
    expect(fitFormula(parseFormula('a t + b'), { variables: { t: [1] }, target: [1], errors: [1] })).toBeUndefined();
  });
});
