import { describe, expect, it } from 'vitest';
import { singularValues, symmetricEigen, withEigenvalues } from '../src/decompositions.ts';

describe('symmetricEigen', () => {
  it('has eigenvalues in ascending order, and an eigenvector of length 1 for each', () => {
    // (2 1; 1 2): 1 along (1, -1), 3 along (1, 1).
    const { values, vectors } = symmetricEigen([2, 1, 1, 2]);
    expect(values[0]).toBeCloseTo(1, 14);
    expect(values[1]).toBeCloseTo(3, 14);
    expect(vectors[0][0] * vectors[0][1]).toBeCloseTo(-1 / 2, 14);
    expect(vectors[1][0] * vectors[1][1]).toBeCloseTo(1 / 2, 14);
  });

  it('has the eigenvalues of a chain, 2 - 2 cos(k pi / (n + 1))', () => {
    const n = 12;
    const chain = Array.from({ length: n * n }, (_, at) => {
      const off = Math.abs(Math.floor(at / n) - (at % n));
      return off === 0 ? 2 : off === 1 ? -1 : 0;
    });
    symmetricEigen(chain).values.forEach((value, k) => {
      expect(value).toBeCloseTo(2 - 2 * Math.cos(((k + 1) * Math.PI) / (n + 1)), 13);
    });
  });
});

describe('withEigenvalues', () => {
  it('makes a square root, whose square is the matrix', () => {
    const [a, b, , d] = withEigenvalues(symmetricEigen([2, 1, 1, 2]), Math.sqrt);
    expect(a * a + b * b).toBeCloseTo(2, 14);
    expect(a * b + b * d).toBeCloseTo(1, 14);
  });
});

describe('singularValues', () => {
  it('takes a matrix apart, U diag(values) V^T', () => {
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
