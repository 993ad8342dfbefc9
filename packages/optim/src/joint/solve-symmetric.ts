import { symmetricEigen } from '@gradsim/base/decompositions';

/**
 * Smallest eigenvalue of a matrix, scaled to a unit diagonal, relative to its largest, that counts as determined. Along other
 * directions the solution is zero.
 */
const MIN_EIGENVALUE_RATIO = 1e-10;

/** Solver of linear systems with a symmetric matrix, with zero along directions that the matrix does not determine. */
export function symmetricSolver(matrix: readonly (readonly number[])[]): (of: readonly number[]) => number[] {
  if (matrix.length === 0) return () => [];
  const roots = matrix.map((row, i) => Math.sqrt(Math.max(row[i], 0)) || 1);
  const { values, vectors } = symmetricEigen(matrix.flatMap((row, i) => row.map((v, j) => v / (roots[i] * roots[j]))));
  return (of) => {
    const found = of.map(() => 0);
    values.forEach((value, k) => {
      if (!(value > MIN_EIGENVALUE_RATIO * values.at(-1)!) || !(value > 0)) return;
      const amount = vectors[k].reduce((sum, v, i) => sum + (v * of[i]) / roots[i], 0) / value;
      vectors[k].forEach((v, i) => {
        found[i] += (amount * v) / roots[i];
      });
    });
    return found;
  };
}

/** Solution of one such system. */
export const solveSymmetric = (matrix: readonly (readonly number[])[], rightSide: readonly number[]): number[] =>
  symmetricSolver(matrix)(rightSide);
