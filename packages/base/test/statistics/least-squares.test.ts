import { describe, expect, it } from 'vitest';
import { inverseDiagonal, linearLeastSquares, solvePositiveDefinite } from '../../src/index.ts';

describe('solvePositiveDefinite', () => {
  it('solves a system exactly', () => {
    // L L^T with L = (2 0 0; 6 1 0; -8 5 3).
    const matrix = [
      [4, 12, -16],
      [12, 37, -43],
      [-16, -43, 98],
    ];
    expect(solvePositiveDefinite(matrix, [-20, -43, 192])).toEqual([1, 2, 3]);
  });

  it('returns undefined for a singular or indefinite matrix', () => {
    expect(
      solvePositiveDefinite(
        [
          [1, 1],
          [1, 1],
        ],
        [1, 1],
      ),
    ).toBeUndefined();
    expect(
      solvePositiveDefinite(
        [
          [1, 2],
          [2, 1],
        ],
        [1, 1],
      ),
    ).toBeUndefined();
  });
});

describe('inverseDiagonal', () => {
  it('returns the diagonal of the inverse, infinite for a singular matrix', () => {
    // (2 1; 1 3)^-1 = (3 -1; -1 2) / 5.
    const inverse = inverseDiagonal([
      [2, 1],
      [1, 3],
    ]);
    [0.6, 0.4].forEach((expected, k) => expect(inverse[k]).toBeCloseTo(expected, 15));
    const singular = inverseDiagonal([
      [1, 1],
      [1, 1],
    ]);
    expect(singular).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
  });
});

describe('linearLeastSquares', () => {
  it('fits a line by least squares', () => {
    // Through (0, 0), (1, 1), (2, 1): 1/6 + t / 2.
    const [offset, slope] = linearLeastSquares(
      [
        [1, 0],
        [1, 1],
        [1, 2],
      ],
      [0, 1, 1],
    )!;
    expect(offset).toBeCloseTo(1 / 6, 14);
    expect(slope).toBeCloseTo(1 / 2, 14);
  });

  it('returns undefined for dependent or zero columns, and solves for independent ones of size 1e-9', () => {
    expect(
      linearLeastSquares(
        [
          [1, 1e-9],
          [2, 2e-9],
          [3, 3e-9],
        ],
        [1, 2, 4],
      ),
    ).toBeUndefined();
    expect(
      linearLeastSquares(
        [
          [1, 0],
          [2, 0],
        ],
        [1, 2],
      ),
    ).toBeUndefined();
    expect(
      linearLeastSquares(
        [
          [1, 1e-9],
          [2, 2e-9],
          [3, 4e-9],
        ],
        [1, 2, 3],
      )![0],
    ).toBeCloseTo(1, 12);
  });
});
