import { describe, expect, it } from 'vitest';
import { levenbergMarquardt } from '../../src/index.ts';

describe('levenbergMarquardt', () => {
  it('finds the minimum of the Rosenbrock valley', () => {
    // Rosenbrock's: residuals 10 (y - x^2) and 1 - x, both 0 at (1, 1).
    const valley = { unknowns: [0, 1], residuals: ([x, y]: readonly number[]) => [10 * (y - x * x), 1 - x] };
    const { values, squares, count } = levenbergMarquardt([valley], [-1.2, 1], [1, 1]);
    expect(values[0]).toBeCloseTo(1, 8);
    expect(values[1]).toBeCloseTo(1, 8);
    expect(squares).toBeLessThan(1e-16);
    expect(count).toBe(2);
  });

  it('solves a linear problem, and returns J^T J with each unknown in units of its scale', () => {
    // a + b t through (0, 0), (1, 1), (2, 1): 1/6 and 1/2, squares 1/6.
    const line = { unknowns: [0, 1], residuals: ([a, b]: readonly number[]) => [a, a + b - 1, a + 2 * b - 1] };
    const { values, squares, normal } = levenbergMarquardt([line], [5, -3], [1, 10]);
    expect(values[0]).toBeCloseTo(1 / 6, 8);
    expect(values[1]).toBeCloseTo(1 / 2, 8);
    expect(squares).toBeCloseTo(1 / 6, 14);
    [
      [3, 30],
      [30, 500],
    ].forEach((row, i) => {
      row.forEach((value, j) => {
        expect(normal[i][j]).toBeCloseTo(value, 8);
      });
    });
  });

  it('minimises the sum of blocks of residuals that share unknowns, and leaves an unknown unchanged that affects nothing', () => {
    // (x - 1)^2 + (x - 3)^2 + (y - x)^2 is least at x = y = 2.
    const blocks = [
      { unknowns: [0], residuals: ([x]: readonly number[]) => [x - 1, x - 3] },
      { unknowns: [0, 1], residuals: ([x, y]: readonly number[]) => [y - x] },
      { unknowns: [2], residuals: () => [0] },
    ];
    const { values, squares } = levenbergMarquardt(blocks, [0, 0, 7], [1, 1, 1]);
    expect(values[0]).toBeCloseTo(2, 8);
    expect(values[1]).toBeCloseTo(2, 8);
    expect(values[2]).toBe(7);
    expect(squares).toBeCloseTo(2, 14);
  });
});
