import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../scripts/vitest/draws.ts';
import { multiplyVector } from '../src/algebra/square-matrices.ts';
import { mapEigenvalues, singularValues, symmetricEigen } from '../src/decompositions.ts';

import { sumOfProducts } from '../src/statistics/statistics.ts';

describe('symmetricEigen', () => {
  it('returns eigenvalues in ascending order, and an eigenvector of length 1 for each', () => {
    // (2 1; 1 2): 1 along (1, -1), 3 along (1, 1).
    const { values, vectors } = symmetricEigen([2, 1, 1, 2]);
    expect(values[0]).toBeCloseTo(1, 14);
    expect(values[1]).toBeCloseTo(3, 14);
    expect(vectors[0][0] * vectors[0][1]).toBeCloseTo(-1 / 2, 14);
    expect(vectors[1][0] * vectors[1][1]).toBeCloseTo(1 / 2, 14);
  });

  it('returns 2 - 2 cos(k pi / (n + 1)), k = 1 to n = 12, for the n x n matrix with diagonal 2 and -1 beside it', () => {
    const n = 12;
    const chain = Array.from({ length: n * n }, (_, at) => {
      const off = Math.abs(Math.floor(at / n) - (at % n));
      return off === 0 ? 2 : off === 1 ? -1 : 0;
    });
    symmetricEigen(chain).values.forEach((value, k) => {
      expect(value).toBeCloseTo(2 - 2 * Math.cos(((k + 1) * Math.PI) / (n + 1)), 13);
    });
  });

  it.each([1, 2, 3, 7, 30, 105])('returns orthonormal vectors v with A v = value v, for %d rows', (n) => {
    const random = randomNumbers(n);
    const a = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) a[i * n + j] = a[j * n + i] = 10 ** (4 * random()) * random();
    const { values, vectors } = symmetricEigen(a);
    const largest = Math.max(...values.map(Math.abs));
    vectors.forEach((v, k) => {
      if (k > 0) expect(values[k]).toBeGreaterThanOrEqual(values[k - 1]);
      multiplyVector(a, v).forEach((av, i) =>
        expect(Math.abs(av - values[k] * v[i])).toBeLessThan(1e-13 * n * largest),
      );
      vectors.forEach((w, l) => expect(sumOfProducts(v, w)).toBeCloseTo(Number(k === l), 12));
    });
  });

  it('accepts zero matrices, equal eigenvalues, and empty matrices', () => {
    expect(symmetricEigen([]).values).toEqual([]);
    expect(symmetricEigen([0, 0, 0, 0]).values).toEqual([0, 0]);
    const { values, vectors } = symmetricEigen([1, 0, 0, 0, -2, 0, 0, 0, 1]);
    expect(values).toEqual([-2, 1, 1]);
    expect(vectors[0].map(Math.abs)).toEqual([0, 1, 0]);
  });
});

describe('withEigenvalues', () => {
  it('of Math.sqrt returns a matrix whose square is the original one', () => {
    const [a, b, , d] = mapEigenvalues(symmetricEigen([2, 1, 1, 2]), Math.sqrt);
    expect(a * a + b * b).toBeCloseTo(2, 14);
    expect(a * b + b * d).toBeCloseTo(1, 14);
  });
});

describe('singularValues', () => {
  it('decomposes a matrix into U diag(values) V^T', () => {
    // (3 0; 4 5): singular values sqrt(45) and sqrt(5).
    const rows = [
      [3, 0],
      [4, 5],
      [0, 0],
    ];
    const { left, values, right } = singularValues(rows);
    expect(values[0]).toBeCloseTo(Math.sqrt(45), 14);
    expect(values[1]).toBeCloseTo(Math.sqrt(5), 14);
    rows.forEach((row, i) => {
      row.forEach((value, j) => {
        expect(left[i][0] * values[0] * right[j][0] + left[i][1] * values[1] * right[j][1]).toBeCloseTo(value, 14);
      });
    });
  });
});
