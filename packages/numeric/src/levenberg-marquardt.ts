import { solvePositiveDefinite } from './least-squares.ts';
import { sumOfProducts, sumOfSquares } from './statistics.ts';

/** Residuals that depend on some of the unknowns, such as those of one view of a camera. */
export interface ResidualBlock {
  /** Indices of the unknowns that they depend on. */
  readonly unknowns: readonly number[];
  /** @param values of all unknowns. */
  readonly residuals: (values: readonly number[]) => readonly number[];
}

/** A minimum of a sum of squares. */
export interface Minimum {
  /** Values of the unknowns at the minimum. */
  readonly values: number[];
  /** Sum of the squares of the residuals. */
  readonly squares: number;
  /** Number of residuals. */
  readonly count: number;
  /** Rows of J^T J there, with the derivatives J of the residuals by unknowns in units of their scales. */
  readonly normal: readonly (readonly number[])[];
}

/** Maximum number of steps tried. */
const ROUNDS = 60;
/** Step of central differences, as a fraction of an unknown's scale. */
const STEP = 1e-4;
/** Relative decrease of the loss below which the search ends. */
const MIN_GAIN = 1e-10;
/** Damping (Levenberg-Marquardt lambda), relative to the diagonal of J^T J, above which the search ends. */
const MAX_DAMPING = 1e12;
/** Added to the diagonal, so that an unknown on which nothing depends stays as it is. */
const RIDGE = 1e-12;

/**
 * Minimises a sum of squares over a few unknowns by the method of Levenberg and Marquardt. The damping falls by a factor of 5
 * with every step that gains, and grows by factors that double from one failed step to the next. Derivatives are central
 * differences.
 *
 * ```ts
 * const circle = { unknowns: [0, 1, 2], residuals: ([x, y, r]) => points.map((p) => Math.hypot(p[0] - x, p[1] - y) - r) };
 * const { values } = levenbergMarquardt([circle], [0, 0, 1], [1, 1, 1]);
 * ```
 * @param scales by unknown, the size of a change that matters.
 */
export function levenbergMarquardt(
  blocks: readonly ResidualBlock[],
  start: readonly number[],
  scales: readonly number[],
): Minimum {
  let values = [...start];
  let squares = squaresAt(blocks, values);
  let system = normalEquations(blocks, values, scales);
  let [damping, growth] = [1e-3, 2];
  for (let round = 0; round < ROUNDS; round++) {
    const damped = system.normal.map((row, i) => row.map((v, j) => (i === j ? v * (1 + damping) + RIDGE : v)));
    const step = solvePositiveDefinite(damped, system.slope);
    if (!step) break;
    const next = values.map((v, i) => v - step[i] * scales[i]);
    const reached = squaresAt(blocks, next);
    if (Number.isFinite(reached) && reached < squares) {
      const gain = 1 - reached / squares;
      [values, squares] = [next, reached];
      system = normalEquations(blocks, values, scales);
      [damping, growth] = [damping / 5, 2];
      if (gain < MIN_GAIN) break;
    } else {
      damping *= growth;
      growth *= 2;
      if (damping > MAX_DAMPING) break;
    }
  }
  return { values, squares, count: system.count, normal: system.normal };
}

const squaresAt = (blocks: readonly ResidualBlock[], values: readonly number[]): number =>
  blocks.reduce((sum, { residuals }) => sum + sumOfSquares(residuals(values)), 0);

function normalEquations(blocks: readonly ResidualBlock[], values: readonly number[], scales: readonly number[]) {
  const normal = values.map(() => new Array<number>(values.length).fill(0));
  const slope = values.map(() => 0);
  let count = 0;
  for (const { unknowns, residuals } of blocks) {
    const here = residuals(values);
    count += here.length;
    const at = (k: number, value: number): readonly number[] => residuals(values.map((v, j) => (j === k ? value : v)));
    const columns = unknowns.map((k) => {
      const above = at(k, values[k] + STEP * scales[k]);
      const below = at(k, values[k] - STEP * scales[k]);
      return above.map((r, i) => (r - below[i]) / (2 * STEP));
    });
    unknowns.forEach((i, a) => {
      slope[i] += sumOfProducts(columns[a], here);
      unknowns.forEach((j, b) => {
        normal[i][j] += sumOfProducts(columns[a], columns[b]);
      });
    });
  }
  return { normal, slope, count };
}
