import type { Minimum } from '@gradsim/base';
import { singularValues } from '@gradsim/base/decompositions';

/** Singular values of the matrix, scaled to ones on its diagonal, below which they count as 0. */
const SMALLEST_SINGULAR_VALUE = 1e-14;
/** Squared component in a singular direction of value 0 above which an unknown counts as not determined. */
const MIN_COMPONENT = 1e-6;

/**
 * Inverse of J^T J at a minimum of least squares, in the units of the unknowns; its diagonal is infinite for unknowns
 * that are not determined.
 */
export function covarianceOf({ normal }: Minimum, scales: readonly number[]): number[][] {
  // Scaled to ones on its diagonal.
  const lengths = normal.map((row, i) => Math.sqrt(row[i]) || 1);
  const { left, values } = singularValues(normal.map((row, i) => row.map((v, j) => v / (lengths[i] * lengths[j]))));
  return normal.map((row, i) =>
    row.map((_, j) => {
      let sum = 0;
      for (let k = 0; k < values.length; k++) {
        const share = left[i][k] * left[j][k];
        if (values[k] > SMALLEST_SINGULAR_VALUE) sum += share / values[k];
        else if (i === j && share > MIN_COMPONENT) return Number.POSITIVE_INFINITY;
      }
      return (sum / (lengths[i] * lengths[j])) * scales[i] * scales[j];
    }),
  );
}

/**
 * Returns the unit vector v with the smallest |A v|, and `gap`, the second smallest singular value of A over the
 * largest: near 0, v is not unique.
 */
export function nullVector(rows: readonly (readonly number[])[]): { vector: number[]; gap: number } {
  const n = rows[0].length;
  // Rows of zeros change nothing, and the decomposition needs at least as many rows as columns.
  const missing = Array.from({ length: Math.max(n - rows.length, 0) }, () => new Array<number>(n).fill(0));
  const { right, values } = singularValues([...rows, ...missing]);
  return { vector: right.map((row) => row[n - 1]), gap: values[n - 2] / values[0] };
}
