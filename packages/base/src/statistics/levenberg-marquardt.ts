import { solvePositiveDefinite } from './least-squares.ts';
import { sumOfProducts, sumOfSquares } from './statistics.ts';

/** Residuals that depend on some of the unknowns, such as those of one view of a camera. */
export interface ResidualBlock {
  /** Indices of the unknowns that the residuals depend on. */
  readonly unknowns: readonly number[];
  /**
   * Returns the residuals.
   * @param values values of all unknowns, not only of these.
   */
  readonly residuals: (values: readonly number[]) => readonly number[];
  /**
   * Returns the derivatives of the residuals: a row of them by each of `unknowns`. Default: central differences.
   * @param values values of all unknowns.
   */
  readonly derivatives?: (values: readonly number[]) => readonly ArrayLike<number>[];
}

/** A minimum of a sum of squares. */
export interface Minimum {
  /** Values of the unknowns at the minimum. */
  readonly values: number[];
  /** Sum of the squares of the residuals. */
  readonly squares: number;
  /** Number of residuals. */
  readonly count: number;
  /**
   * Rows of J^T J at the minimum. J holds the derivatives of the residuals with respect to the unknowns, each unknown
   * in units of its scale.
   */
  readonly normal: readonly (readonly number[])[];
}

/** Maximum number of steps tried. */
const MAX_STEPS = 60;
/** Half the distance between the two points of a central difference, as a fraction of an unknown's scale. */
const DIFFERENCE_STEP = 1e-4;
/** Relative decrease of the sum of squares in one step below which the search ends. */
const MIN_GAIN = 1e-10;
/** Damping (Levenberg-Marquardt lambda), relative to the diagonal of J^T J, above which the search ends. */
const MAX_DAMPING = 1e12;
/** Added to the diagonal of J^T J, so that an unknown on which no residual depends keeps its value. */
const RIDGE = 1e-12;

/**
 * Minimises a sum of squares over a few unknowns by the method of Levenberg and Marquardt. The damping is divided by 5
 * after a step that reduces the sum. After a failed step it is multiplied by a factor, which is 2 at first and doubles
 * with each further failed step.
 *
 * ```ts
 * const circle = { unknowns: [0, 1, 2], residuals: ([x, y, r]) => points.map((p) => Math.hypot(p[0] - x, p[1] - y) - r) };
 * const { values } = levenbergMarquardt([circle], [0, 0, 1], [1, 1, 1]);
 * ```
 * @param scales by unknown, the size of a change that matters.
 * @param sufficientGain decrease of the sum of squares in one step below which the search ends, whatever part of the sum it is.
 */
export function levenbergMarquardt(
  blocks: readonly ResidualBlock[],
  start: readonly number[],
  scales: readonly number[],
  sufficientGain = 0,
): Minimum {
  let values = [...start];
  let squares = squaresAt(blocks, values);
  let system = normalEquations(blocks, values, scales);
  let [damping, growth] = [1e-3, 2];
  for (let round = 0; round < MAX_STEPS; round++) {
    const damped = system.normal.map((row, i) => row.map((v, j) => (i === j ? v * (1 + damping) + RIDGE : v)));
    const step = solvePositiveDefinite(damped, system.slope);
    if (!step) break;
    const next = values.map((v, i) => v - step[i] * scales[i]);
    const reached = squaresAt(blocks, next);
    if (Number.isFinite(reached) && reached < squares) {
      const gain = squares - reached;
      const least = Math.max(MIN_GAIN * squares, sufficientGain);
      [values, squares] = [next, reached];
      system = normalEquations(blocks, values, scales);
      [damping, growth] = [damping / 5, 2];
      if (gain < least) break;
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
  for (const { unknowns, residuals, derivatives } of blocks) {
    const here = residuals(values);
    count += here.length;
    const at = (k: number, value: number): readonly number[] => residuals(values.map((v, j) => (j === k ? value : v)));
    const given = derivatives?.(values);
    const columns = unknowns.map((k, a): ArrayLike<number> => {
      if (given) return Float64Array.from(given[a], (r) => r * scales[k]);
      const above = at(k, values[k] + DIFFERENCE_STEP * scales[k]);
      const below = at(k, values[k] - DIFFERENCE_STEP * scales[k]);
      return above.map((r, i) => (r - below[i]) / (2 * DIFFERENCE_STEP));
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
