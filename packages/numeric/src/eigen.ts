import { EigenvalueDecomposition, Matrix } from './matrices.ts';

/** Eigenvalues in ascending order, and an eigenvector of length 1 for each. */
export interface Eigen {
  readonly values: readonly number[];
  readonly vectors: readonly (readonly number[])[];
}

/** Eigenvalues and eigenvectors of a symmetric matrix, given row by row. */
export function symmetricEigen(matrix: ArrayLike<number>): Eigen {
  const n = Math.round(Math.sqrt(matrix.length));
  const decomposition = new EigenvalueDecomposition(
    new Matrix(Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => matrix[i * n + j]))),
    { assumeSymmetric: true },
  );
  const order = [...decomposition.realEigenvalues.keys()].sort(
    (a, b) => decomposition.realEigenvalues[a] - decomposition.realEigenvalues[b],
  );
  return {
    values: order.map((k) => decomposition.realEigenvalues[k]),
    vectors: order.map((k) => decomposition.eigenvectorMatrix.getColumn(k)),
  };
}

/** The symmetric matrix of the same eigenvectors and other eigenvalues, row by row. */
export function withEigenvalues({ values, vectors }: Eigen, change: (value: number) => number): Float64Array {
  const n = values.length;
  const matrix = new Float64Array(n * n);
  const changed = values.map(change);
  for (let i = 0; i < n; i++) {
    const row = matrix.subarray(i * n, (i + 1) * n);
    for (let k = 0; k < n; k++) {
      const vector = vectors[k];
      const factor = changed[k] * vector[i];
      for (let j = 0; j < n; j++) row[j] += factor * vector[j];
    }
  }
  return matrix;
}
