import { describe, expect, it } from 'vitest';
import { determinant, multiplyMatrices, rowsOf, symmetricInverse, transform, transpose } from '../../src/index.ts';

describe('3 x 3 matrices', () => {
  const m = rowsOf([2, 1, 0, 1, 3, 1, 0, 1, 4]);

  it('have a determinant, whose sign changes when two rows are swapped', () => {
    // 2 (12 - 1) - 1 (4 - 0)
    expect(determinant(m)).toBe(18);
    expect(determinant([m[1], m[0], m[2]])).toBe(-18);
  });

  it('if symmetric, have an inverse: the product of both is the identity', () => {
    const product = multiplyMatrices(symmetricInverse(m), m);
    product.forEach((row, i) => {
      row.forEach((value, j) => {
        expect(value).toBeCloseTo(Number(i === j), 15);
      });
    });
  });

  it('transform vectors, multiply as a b in multiplyMatrices(a, b), and are transposed', () => {
    const [a, b] = [rowsOf([0, -1, 0, 1, 0, 0, 0, 0, 1]), rowsOf([1, 2, 3, 4, 5, 6, 7, 8, 9])];
    expect(transform(a, [1, 2, 3])).toEqual([-2, 1, 3]);
    expect(multiplyMatrices(a, b)).toEqual(rowsOf([-4, -5, -6, 1, 2, 3, 7, 8, 9]));
    expect(transpose(b)).toEqual(rowsOf([1, 4, 7, 2, 5, 8, 3, 6, 9]));
  });
});
