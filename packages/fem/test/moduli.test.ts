import { moduliOf, stiffnessOf } from '@gradsim/fem';
import { describe, expect, it } from 'vitest';

/** Energy density psi = mu/2 (I - 3) + lambda/2 (J - alpha)^2 - mu/2 log(I + 1) of a stretch along the axes. */
function energy([a, b, c]: readonly number[], mu: number, lambda: number): number {
  const I = a * a + b * b + c * c;
  const alpha = 1 + mu / lambda - mu / (4 * lambda);
  return (mu / 2) * (I - 3) + (lambda / 2) * (a * b * c - alpha) ** 2 - (mu / 2) * Math.log(I + 1);
}

describe('mu and lambda', () => {
  it.each([
    [1e6, 0.3],
    [2e3, 0.45],
    [5e4, 0],
    [7e5, -0.2],
  ])('of E = %d Pa and nu = %d give a pulled bar the stress E times strain, and E and nu again', (E, nu) => {
    const { mu, lambda } = stiffnessOf({ youngsModulus: E, poissonRatio: nu });
    // Pulled by a strain s, sides strained by -nu s: the sides bear no stress, and along the bar it is E s.
    const s = 1e-4;
    const h = 1e-4;
    const stress = (axis: number, strain: number): number => {
      const sides = [1 + strain, 1 - nu * strain, 1 - nu * strain];
      const moved = (by: number): number[] => sides.map((side, k) => (k === axis ? side + by : side));
      return (energy(moved(h), mu, lambda) - energy(moved(-h), mu, lambda)) / (2 * h);
    };
    // Differences between pull and push: terms of even order cancel.
    expect((stress(0, s) - stress(0, -s)) / (2 * s) / E).toBeCloseTo(1, 4);
    expect((stress(1, s) - stress(1, -s)) / (2 * s) / E).toBeCloseTo(0, 4);
    const back = moduliOf({ mu, lambda });
    expect(back.youngsModulus / E).toBeCloseTo(1, 12);
    expect(back.poissonRatio).toBeCloseTo(nu, 12);
  });

  it('of E < 0 or nu = 1/2, and those without a positive bulk modulus, are refused', () => {
    expect(() => stiffnessOf({ youngsModulus: -1, poissonRatio: 0.3 })).toThrowCode({
      code: 'fem/modulus-out-of-range',
      values: [-1],
    });
    expect(() => stiffnessOf({ youngsModulus: 1, poissonRatio: 0.5 })).toThrowCode({
      code: 'fem/modulus-out-of-range',
      values: [0.5],
    });
    expect(() => moduliOf({ mu: 8, lambda: 0.9 })).toThrowCode({ code: 'fem/modulus-out-of-range', values: [1] });
  });
});
