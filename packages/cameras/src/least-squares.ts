import { Matrix, SingularValueDecomposition, solve } from './matrices.ts';

/** Residuals of one part, and the numbers of the unknowns that they depend on. */
export interface Part {
  readonly unknowns: readonly number[];
  readonly residuals: (values: readonly number[]) => number[];
}

/** A minimum of a sum of squares. */
export interface Minimum {
  readonly values: number[];
  readonly squares: number;
  /** How many residuals there are. */
  readonly count: number;
  /** The inverse of J^T J; infinite on the diagonal where it has none. */
  readonly covariance: number[][];
}

const ROUNDS = 100;

/**
 * Least squares by Levenberg and Marquardt over parts that share some unknowns; the damping falls by 5 with every step that gains,
 * and grows by factors that double from one failed step to the next. Derivatives by central differences.
 * @param scales lengths of about the size that matters, by unknown.
 */
export function leastSquares(parts: readonly Part[], start: readonly number[], scales: readonly number[]): Minimum {
  let values = [...start];
  let squares = squaresAt(parts, values);
  let system = normalEquations(parts, values, scales);
  let [damping, growth] = [1e-4, 2];
  for (let round = 0; round < ROUNDS; round++) {
    const damped = system.normal.clone();
    for (let i = 0; i < values.length; i++) damped.set(i, i, damped.get(i, i) * (1 + damping) + 1e-15);
    const step = solve(damped, system.slope).to1DArray();
    const next = values.map((v, i) => v - step[i] * scales[i]);
    const reached = squaresAt(parts, next);
    if (Number.isFinite(reached) && reached < squares) {
      const gain = 1 - reached / squares;
      values = next;
      squares = reached;
      system = normalEquations(parts, values, scales);
      [damping, growth] = [damping / 5, 2];
      if (gain < 1e-12) break;
    } else {
      damping *= growth;
      growth *= 2;
      if (damping > 1e14) break;
    }
  }
  return {
    values,
    squares,
    count: system.count,
    covariance: inverse(system.normal).map((row, i) => row.map((v, j) => v * scales[i] * scales[j])),
  };
}

const squaresAt = (parts: readonly Part[], values: readonly number[]): number =>
  parts.reduce((sum, part) => sum + part.residuals(values).reduce((s, r) => s + r * r, 0), 0);

const STEP = 1e-5;

function normalEquations(parts: readonly Part[], values: readonly number[], scales: readonly number[]) {
  const n = values.length;
  const [normal, slope] = [Matrix.zeros(n, n), Matrix.zeros(n, 1)];
  let count = 0;
  const moved = [...values];
  for (const { unknowns, residuals } of parts) {
    const now = residuals(values);
    count += now.length;
    const columns = unknowns.map((k) => {
      moved[k] = values[k] + STEP * scales[k];
      const above = residuals(moved);
      moved[k] = values[k] - STEP * scales[k];
      const below = residuals(moved);
      moved[k] = values[k];
      return above.map((r, i) => (r - below[i]) / (2 * STEP));
    });
    unknowns.forEach((i, a) => {
      slope.set(i, 0, slope.get(i, 0) + dot(columns[a], now));
      unknowns.forEach((j, b) => {
        normal.set(i, j, normal.get(i, j) + dot(columns[a], columns[b]));
      });
    });
  }
  return { normal, slope, count };
}

/** Of a symmetric matrix, brought to ones on its diagonal; a direction without information has an infinite variance. */
function inverse(matrix: Matrix): number[][] {
  const n = matrix.rows;
  const lengths = Array.from({ length: n }, (_, i) => Math.sqrt(matrix.get(i, i)) || 1);
  const scaled = Matrix.zeros(n, n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) scaled.set(i, j, matrix.get(i, j) / (lengths[i] * lengths[j]));
  const { leftSingularVectors: vectors, diagonal } = new SingularValueDecomposition(scaled);
  return Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => {
      let sum = 0;
      for (let k = 0; k < n; k++) {
        const share = vectors.get(i, k) * vectors.get(j, k);
        if (diagonal[k] > 1e-14) sum += share / diagonal[k];
        else if (i === j && share > 1e-6) return Number.POSITIVE_INFINITY;
      }
      return sum / (lengths[i] * lengths[j]);
    }),
  );
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** The vector of length 1 with the least |A v|, and how much less that is than for any other: ratio of singular values. */
export function nullVector(rows: readonly (readonly number[])[]): { vector: number[]; gap: number } {
  const n = rows[0].length;
  // Rows of zeros change nothing, and the decomposition wants as many rows as columns.
  const padded = [...rows.map((row) => [...row])];
  while (padded.length < n) padded.push(new Array<number>(n).fill(0));
  const { rightSingularVectors, diagonal } = new SingularValueDecomposition(new Matrix(padded), {
    autoTranspose: true,
  });
  const last = n - 1;
  return { vector: rightSingularVectors.getColumn(last), gap: diagonal[last - 1] / diagonal[0] };
}
