import { Matrix, SingularValueDecomposition } from './matrices.ts';

/** Singular value decomposition A = U diag(values) V^T, with `values` in descending order. */
export interface SingularValues {
  /** Rows of the matrix U of left singular vectors. */
  readonly left: number[][];
  readonly values: number[];
  /** Rows of the matrix V of right singular vectors. */
  readonly right: number[][];
}

/** Singular value decomposition of a matrix, given as rows; it must have at least as many rows as columns. */
export function singularValues(rows: readonly (readonly number[])[]): SingularValues {
  const found = new SingularValueDecomposition(new Matrix(rows.map((row) => [...row])));
  return {
    left: found.leftSingularVectors.to2DArray(),
    values: found.diagonal,
    right: found.rightSingularVectors.to2DArray(),
  };
}
