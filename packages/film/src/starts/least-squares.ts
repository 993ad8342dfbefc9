/** A minimum of a sum of squares. */
export interface Minimum {
  readonly values: number[];
  /** Of the residuals at these. */
  readonly squares: number;
  /** Standard deviations of the values if residuals have one of 1, or where they are larger, as large as they are. */
  readonly deviations: number[];
}

const ROUNDS = 60;

/**
 * Least squares over a few unknowns, by Levenberg and Marquardt; the damping falls by 5 with every step that gains, and grows by
 * factors that double from one failed step to the next. Derivatives by central differences.
 *
 * @param scales steps of the differences, of about the size that matters.
 */
export function leastSquares(
  residuals: (values: readonly number[]) => readonly number[],
  start: readonly number[],
  scales: readonly number[],
): Minimum {
  let values = [...start];
  let now = residuals(values);
  let squares = sumOfSquares(now);
  let [damping, growth] = [1e-3, 2];
  for (let round = 0; round < ROUNDS; round++) {
    const jacobian = jacobianOf(residuals, values, scales);
    const { normal, slope } = normalEquations(jacobian, now);
    const damped = normal.map((row, i) => row.map((v, j) => (i === j ? v * (1 + damping) + 1e-12 : v)));
    const step = solve(damped, slope)?.map((s, i) => -s * scales[i]);
    if (!step) break;
    const next = values.map((v, i) => v + step[i]);
    const there = residuals(next);
    const reached = sumOfSquares(there);
    if (Number.isFinite(reached) && reached < squares) {
      const gain = 1 - reached / squares;
      [values, now, squares] = [next, there, reached];
      [damping, growth] = [damping / 5, 2];
      if (gain < 1e-10) break;
    } else {
      damping *= growth;
      growth *= 2;
      if (damping > 1e12) break;
    }
  }
  const { normal } = normalEquations(jacobianOf(residuals, values, scales), now);
  const freedom = Math.max(now.length - values.length, 1);
  const spread = Math.max(1, squares / freedom);
  const deviations = scales.map((scale, i) => {
    const column = solve(
      normal,
      scales.map((_, j) => Number(i === j)),
    );
    return column && column[i] > 0 ? scale * Math.sqrt(spread * column[i]) : Number.POSITIVE_INFINITY;
  });
  return { values, squares, deviations };
}

/** The least squares of a linear system, rows of coefficients and what they add up to; nothing where it is not determined. */
export function linearLeastSquares(
  rows: readonly (readonly number[])[],
  sums: readonly number[],
): number[] | undefined {
  const columns = rows[0].map((_, j) => rows.map((row) => row[j]));
  // Brought to one length, so that what is not determined shows whatever the units.
  const lengths = columns.map((column) => Math.sqrt(sumOfSquares(column)));
  if (lengths.some((length) => length === 0)) return undefined;
  const { normal, slope } = normalEquations(
    columns.map((column, j) => column.map((v) => v / lengths[j])),
    sums,
  );
  return solve(normal, slope)?.map((value, j) => value / lengths[j]);
}

/** By unknown, in steps of its scale. */
function jacobianOf(
  residuals: (values: readonly number[]) => readonly number[],
  values: readonly number[],
  scales: readonly number[],
): number[][] {
  return values.map((value, j) => {
    const at = (part: number): readonly number[] =>
      residuals(values.map((v, k) => (k === j ? value + part * scales[j] : v)));
    const [after, before] = [at(1e-4), at(-1e-4)];
    return after.map((r, k) => (r - before[k]) / 2e-4);
  });
}

function normalEquations(columns: readonly (readonly number[])[], sums: readonly number[]) {
  const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, v, k) => sum + v * b[k], 0);
  return {
    normal: columns.map((a) => columns.map((b) => dot(a, b))),
    slope: columns.map((a) => dot(a, sums)),
  };
}

/** Cholesky's way; nothing where the matrix is not positive definite. */
export function solve(matrix: readonly (readonly number[])[], sums: readonly number[]): number[] | undefined {
  const n = sums.length;
  const root = matrix.map(() => new Array<number>(n).fill(0));
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let left = matrix[i][j];
      for (let k = 0; k < j; k++) left -= root[i][k] * root[j][k];
      if (i !== j) root[i][j] = left / root[j][j];
      else if (left > 1e-14 * matrix[i][i]) root[i][i] = Math.sqrt(left);
      else return undefined;
    }
  }
  const x = [...sums];
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

const sumOfSquares = (values: readonly number[]): number => values.reduce((sum, v) => sum + v * v, 0);
