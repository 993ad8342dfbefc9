import { sumOfProducts, sumOfSquares } from './statistics.ts';

/** Smallest pivot of a Cholesky factorisation, relative to the diagonal entry of the matrix, that is no rounding error. */
const MIN_PIVOT = 1e-14;

/**
 * Cholesky's lower factor L of a symmetric matrix A = L L^T, for {@link solveByFactor}. Both are given as rows.
 * @param minPivot pivot, relative to the diagonal entry, from which on down A counts as not positive definite. Default 1e-14.
 * @returns undefined where A is not positive definite.
 */
export function choleskyFactor(matrix: readonly ArrayLike<number>[], minPivot = MIN_PIVOT): number[][] | undefined {
  const n = matrix.length;
  const root = matrix.map(() => new Array<number>(n).fill(0));
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let left = matrix[i][j];
      for (let k = 0; k < j; k++) left -= root[i][k] * root[j][k];
      if (i !== j) root[i][j] = left / root[j][j];
      else if (left > minPivot * matrix[i][i]) root[i][i] = Math.sqrt(left);
      else return undefined;
    }
  }
  return root;
}

/** Solution x of L L^T x = b, with the rows of L from {@link choleskyFactor}. */
export function solveByFactor(root: readonly (readonly number[])[], right: ArrayLike<number>): number[] {
  const n = right.length;
  const x = Array.from(right);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= root[i][k] * x[k];
    x[i] /= root[i][i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= root[k][i] * x[k];
    x[i] /= root[i][i];
  }
  return x;
}

/**
 * Solution x of A x = b for a symmetric A, given as rows, by Cholesky's factorisation.
 * @param minPivot as of {@link choleskyFactor}.
 * @returns undefined where A is not positive definite.
 */
export function solvePositiveDefinite(
  matrix: readonly ArrayLike<number>[],
  right: ArrayLike<number>,
  minPivot = MIN_PIVOT,
): number[] | undefined {
  const root = choleskyFactor(matrix, minPivot);
  return root && solveByFactor(root, right);
}

/**
 * The x that minimises |A x - b|, by normal equations. Columns of A are scaled to length 1 first, so units do not
 * matter.
 * @param rows rows of A.
 * @param right b.
 * @returns undefined where x is not unique.
 */
export function linearLeastSquares(
  rows: readonly (readonly number[])[],
  right: readonly number[],
): number[] | undefined {
  const columns = rows[0].map((_, j) => rows.map((row) => row[j]));
  const lengths = columns.map((column) => Math.sqrt(sumOfSquares(column)));
  if (lengths.some((length) => length === 0)) return undefined;
  const scaled = columns.map((column, j) => column.map((v) => v / lengths[j]));
  const normal = scaled.map((a) => scaled.map((b) => sumOfProducts(a, b)));
  const slope = scaled.map((a) => sumOfProducts(a, right));
  return solvePositiveDefinite(normal, slope)?.map((value, j) => value / lengths[j]);
}

/**
 * Diagonal of the inverse of a symmetric matrix, given as rows; all infinite if the matrix is not positive definite.
 */
export function inverseDiagonal(matrix: readonly (readonly number[])[]): number[] {
  const root = choleskyFactor(matrix);
  return matrix.map((_, i) => {
    const column =
      root &&
      solveByFactor(
        root,
        Array.from(matrix, (__, j) => Number(i === j)),
      );
    return column && column[i] > 0 ? column[i] : Number.POSITIVE_INFINITY;
  });
}
