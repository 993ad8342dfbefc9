import { Matrix, SingularValueDecomposition } from './matrices.ts';

/** A = U diag(values) V^T, values in descending order. */
export interface SingularValues {
  /** Rows of the matrix U of left singular vectors. */
  readonly left: number[][];
  readonly values: number[];
  /** Rows of the matrix V of right singular vectors. */
  readonly right: number[][];
}

/** Singular values of a matrix given as rows, of which there are at least as many as columns. */
export function singularValues(rows: readonly (readonly number[])[]): SingularValues {
  const found = new SingularValueDecomposition(new Matrix(rows.map((row) => [...row])));
  return {
    left: found.leftSingularVectors.to2DArray(),
    values: found.diagonal,
    right: found.rightSingularVectors.to2DArray(),
  };
}
