import { solvePositiveDefinite, sumOfProducts, sumOfSquares } from '@gradsim/base';

/** Residuals and their derivatives with respect to unknowns. */
export interface Residuals {
  residuals(unknowns: readonly number[]): Promise<Float64Array>;
  /** Residuals, and a column of derivatives for each unknown. */
  withJacobian(
    unknowns: readonly number[],
  ): Promise<{ readonly residuals: Float64Array; readonly columns: readonly Float64Array[] }>;
}

/** Result of {@link gaussNewton}. */
export interface Found {
  readonly unknowns: readonly number[];
  readonly squares: number;
  /** Steps that were accepted. */
  readonly iterations: number;
  /** Runs for residuals alone, and for Jacobians. */
  readonly runs: number;
  readonly jacobians: number;
}

/** Relative decrease of the sum of squares below which the search ends; rounding in single precision is less. */
const TOLERANCE = 1e-6;
const MAX_ITERATIONS = 50;
/** Damping, relative to the diagonal of J^T J, at which the search ends. */
const MAX_DAMPING = 100;
/** Greatest change of an unknown in a step; a longer step is damped. */
const MAX_STEP = 2;

/** Minimises a sum of squares by Gauss and Newton's method, with Levenberg and Marquardt's damping where a step fails. */
export async function gaussNewton(problem: Residuals, start: readonly number[]): Promise<Found> {
  let unknowns = start;
  let [iterations, runs, jacobians, damping] = [0, 0, 0, 1e-6];
  let squares = Number.POSITIVE_INFINITY;
  while (iterations < MAX_ITERATIONS) {
    const { residuals, columns } = await problem.withJacobian(unknowns);
    jacobians++;
    squares = sumOfSquares(residuals);
    const normal = columns.map((a) => columns.map((b) => sumOfProducts(a, b)));
    const slope = columns.map((a) => sumOfProducts(a, residuals));
    let gain = 0;
    while (damping < MAX_DAMPING) {
      const damped = normal.map((row, i) => row.map((x, j) => (i === j ? x * (1 + damping) : x)));
      const step = solvePositiveDefinite(damped, slope);
      const next = step?.every((x) => Math.abs(x) < MAX_STEP) ? unknowns.map((u, k) => u - step[k]) : undefined;
      const reached = next ? sumOfSquares(await problem.residuals(next)) : Number.POSITIVE_INFINITY;
      runs += next ? 1 : 0;
      if (next && reached < squares) {
        gain = 1 - reached / squares;
        [unknowns, squares] = [next, reached];
        damping = Math.max(damping / 10, 1e-9);
        iterations++;
        break;
      }
      damping *= 10;
    }
    if (gain < TOLERANCE) break;
  }
  return { unknowns, squares, iterations, runs, jacobians };
}
