import { symmetricEigen } from '@gradsim/base/decompositions';
import type { Simulation } from '@gradsim/core';
import type { JacobianSample } from '../objective/jacobian-sample.ts';
import { outputsAt } from '../objective/jacobian-sample.ts';
import { priorInformation } from '../objective/priors.ts';
import type { Residuals } from '../objective/residuals.ts';
import type { Plan } from '../plan/plan.ts';
import { clamped } from '../unknowns/limits.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';

/** Result of comparing derivatives with finite differences. */
export interface Linearity {
  /**
   * For each unknown, the share of the squared linear prediction, 0 to 1, that belongs to values whose actual change
   * disagrees when the unknown is moved by its standard error and the others with it; null if it cannot be moved. If
   * rounding dominates that step, a longer one is used.
   */
  readonly mispredicted: readonly (number | null)[];
  /**
   * For each unknown, the distance in its coordinate up to which rounding dominates changes of the output; 0 for none.
   */
  readonly roundingLengths: readonly number[];
}

/** Data that standard errors are computed from: sum of squared residuals, number of values, and J^T J. */
interface Curvature {
  readonly squares: number;
  readonly values: number;
  readonly hessian: Float64Array;
}

/** Minimum length of the step of finite differences to either side, in units of the rounding error. */
const CLEAR_OF_ROUNDING = 5;
/** Maximum length of the step of finite differences to either side, in natural steps of the unknown. */
const LONGEST_STEP = 0.05;
/**
 * Factors of the steps that are tried in turn until changes agree with the linear prediction: shorter ones in case of
 * curvature, longer ones in case of rounding.
 */
const STEP_FACTORS = [1, 1 / 8, 1 / 64, 8, 64, 512];
/** Relative error above which the linear prediction of a value's change counts as wrong. */
const MISPREDICTION_ERROR = 0.7;
/**
 * Squared ratio of actual to predicted change below which the predicted change does not happen, as with exploded
 * derivatives.
 */
const LARGE_ENOUGH = 0.25;
/**
 * Share of the information about an unknown that comes from observations, 0 to 1, below which its prior determines it.
 */
const DETERMINED_BY_PRIOR = 1e-3;
/**
 * Tolerance of a predicted change whose contributions from several unknowns cancel, relative to the sum of their
 * absolute values.
 */
const CANCELLATION_TOLERANCE = 0.01;
/** Part of a value that rounding of single precision may change it by, where contributions cancel: 4 units in the last place. */
const ROUNDING_SHARE = 2 ** -21;
/** Unexplained share of a change, 0 to 1, above which derivatives count as useless. */
export const MOSTLY_MISPREDICTED = 0.5;

/**
 * Moves each unknown by its standard error, and the others with it, and checks whether derivatives predict the change
 * of the output; if not, tries shorter and longer steps until they do.
 * @param simulation simulation that runs the points, as many at once as it has worlds.
 */
export async function linearityAt(
  { unknowns, objective }: Plan,
  simulation: Simulation,
  x: Float64Array,
  evidence: Curvature,
  sample: JacobianSample,
): Promise<Linearity> {
  const residuals = objective.residuals!;
  const scales = unknowns.scales();
  const { steps, isDeterminedByPrior } = linearitySteps(scales, priorInformation(unknowns, x), evidence, {
    perIndependent: residuals.perIndependent,
    rounding: Math.sqrt(residuals.exactLoss('f32') * residuals.weight),
  });
  const limits = unknowns.limits();
  const mispredicted = Array<number | null>(x.length).fill(null);
  const roundingLengths = Array<number>(x.length).fill(0);
  const hasPredictedSize = Array<boolean>(x.length).fill(true);
  let pending = [...x.keys()];
  for (const times of STEP_FACTORS) {
    if (pending.length === 0) break;
    const directions = steps.map((step) => scaledStep(step, times, scales));
    const side = (sign: number): Float64Array[] =>
      directions.map((d) =>
        clamped(
          x.map((value, k) => value + sign * d[k]),
          limits,
        ),
      );
    const secantEnds = [side(1), side(-1)] as const;
    const shares = await agreements(simulation, unknowns, residuals, {
      secantEnds,
      sample,
      isDeterminedByPrior,
      pending,
    });
    pending = pending.filter((i, at) => {
      const { mispredictedShare, size } = shares[at];
      if (times === 1) mispredicted[i] = mispredictedShare;
      if (mispredictedShare === null) return false;
      const isPredicted = mispredictedShare <= MOSTLY_MISPREDICTED;
      if (times < 1) {
        // Derivatives hold nearby: if as much changes as predicted, the model is merely curved.
        if (isPredicted && hasPredictedSize[i]) mispredicted[i] = 0;
        return !(isPredicted && hasPredictedSize[i]);
      }
      hasPredictedSize[i] &&= size > LARGE_ENOUGH;
      if (isPredicted) mispredicted[i] = mispredictedShare;
      else roundingLengths[i] = Math.abs(directions[i][i]);
      return !isPredicted;
    });
  }
  // A jump, as at a bounce, that changes by as much as predicted at every step length still determines the unknown.
  for (const i of pending) if (hasPredictedSize[i]) mispredicted[i] = 0;
  for (const i of x.keys()) if (mispredicted[i] === 0) roundingLengths[i] = 0;
  return { mispredicted, roundingLengths };
}

/** A step times a factor, reduced so that no unknown moves by more than `LONGEST_PROBE` natural steps. */
function scaledStep(step: Float64Array, times: number, scales: Float64Array): Float64Array {
  const largest = step.reduce((most, d, k) => Math.max(most, Math.abs(d) / scales[k]), 0);
  const factor = Math.min(times, LONGEST_STEP / Math.max(largest, 1e-100));
  return step.map((d) => d * factor);
}

/** Agreement of the output's actual change with its linear prediction. */
interface Agreement {
  /**
   * Share of the squared prediction at values that are mispredicted, 0 to 1; null without a prediction or if a run
   * fails.
   */
  readonly mispredictedShare: number | null;
  /** Sum of squared changes over sum of squared predictions; no value's change counts for more than its prediction. */
  readonly size: number;
}

/** Points to either side of the estimate, one pair per unknown, and the data for the linear prediction. */
interface Steps {
  readonly secantEnds: readonly [readonly Float64Array[], readonly Float64Array[]];
  readonly sample: JacobianSample;
  readonly isDeterminedByPrior: readonly boolean[];
  /** Indices of the unknowns that are still to be checked. */
  readonly pending: readonly number[];
}

/** For each pending unknown, compares the change of the output between its two points with the linear prediction. */
async function agreements(
  simulation: Simulation,
  unknowns: Unknowns,
  residuals: Residuals,
  { secantEnds, sample, isDeterminedByPrior, pending }: Steps,
): Promise<Agreement[]> {
  const sums = pending.map(() => ({ predicted: 0, wrong: 0, size: 0 }));
  const [upper, lower] = secantEnds.map((side) => pending.map((i) => side[i]));
  try {
    const points = [...upper, ...lower];
    const shown = await predictedValuesAt(simulation, unknowns, residuals, points, sample);
    const moved = upper.map((to, at) => to.map((value, k) => value - lower[at][k]));
    const most = Math.max(0, ...sample.positions.map((at) => at.length));
    const prediction = { predicted: new Float64Array(most), parts: new Float64Array(most) };
    sample.columns.forEach((columns, f) => {
      sums.forEach((sum, at) => {
        const cancelled = isDeterminedByPrior[pending[at]] ? CANCELLATION_TOLERANCE : 0;
        addAgreement(
          sum,
          { columns, movement: moved[at], ...prediction },
          shown[f][at],
          shown[f][upper.length + at],
          cancelled,
        );
      });
    });
  } catch (error) {
    if (error instanceof RunFailure) return sums.map(() => ({ mispredictedShare: null, size: 0 }));
    throw error;
  }
  return sums.map(({ predicted, wrong, size }) =>
    predicted > 0
      ? { mispredictedShare: wrong / predicted, size: size / predicted }
      : { mispredictedShare: null, size: 0 },
  );
}

/** Changes of those of a frame's values that derivatives predict. */
interface Prediction {
  readonly columns: readonly Float32Array[];
  /** Movement along each column. */
  readonly movement: Float64Array;
  /** Memory for the predicted changes, and for the sums of the absolute contributions of all unknowns. */
  readonly predicted: Float64Array;
  readonly parts: Float64Array;
}

/**
 * Adds a frame's sums of squares for the agreement of changes with the linear prediction.
 * @param cancelled tolerance relative to the sum of the absolute contributions of all unknowns.
 */
function addAgreement(
  sum: { predicted: number; wrong: number; size: number },
  { columns, movement, predicted, parts }: Prediction,
  above: Float32Array,
  below: Float32Array,
  cancelled: number,
): void {
  const count = above.length;
  predicted.fill(0, 0, count);
  parts.fill(0, 0, count);
  for (const [j, column] of columns.entries()) addPrediction(predicted, column, movement[j]);
  if (cancelled > 0) for (const [j, column] of columns.entries()) addSizes(parts, column, movement[j]);
  let [allPredicted, wrong, size] = [0, 0, 0];
  for (let k = 0; k < count; k++) {
    const own = predicted[k];
    if (own === 0) continue;
    const change = above[k] - below[k];
    allPredicted += own * own;
    // Value by value: if few of them jump, as at a silhouette, derivatives are right about the others.
    const least = cancelled > 0 ? Math.max(cancelled * parts[k], ROUNDING_SHARE * Math.abs(above[k])) : 0;
    const within = Math.max(MISPREDICTION_ERROR * Math.abs(own), least);
    if (!(Math.abs(change - own) <= within)) wrong += own * own;
    size += Math.min(change * change, own * own);
  }
  sum.predicted += allPredicted;
  sum.wrong += wrong;
  sum.size += size;
}

function addPrediction(to: Float64Array, column: Float32Array, moved: number): void {
  for (let k = 0; k < column.length; k++) to[k] += column[k] * moved;
}

function addSizes(to: Float64Array, column: Float32Array, moved: number): void {
  for (let k = 0; k < column.length; k++) to[k] += Math.abs(column[k] * moved);
}

/** Values of the output at some points, where derivatives are not zero: [frame][point][value]. */
async function predictedValuesAt(
  simulation: Simulation,
  unknowns: Unknowns,
  residuals: Residuals,
  points: readonly Float64Array[],
  sample: JacobianSample,
): Promise<Float32Array[][]> {
  const { worlds } = simulation;
  const shown: Float32Array[][] = sample.positions.map(() => []);
  for (let from = 0; from < points.length; from += worlds) {
    unknowns.apply(
      simulation,
      Array.from({ length: worlds }, (_, w) => points[from + w] ?? points[from]),
    );
    simulation.forward({ frames: residuals.frames });
    const own = await outputsAt(simulation, residuals, sample, Math.min(worlds, points.length - from));
    for (const [f, values] of own.entries()) shown[f].push(...values);
  }
  return shown;
}

/**
 * For each unknown, the step of all unknowns when it moves by its standard error, lengthened to exceed rounding. Also
 * flags unknowns that priors alone determine, such as the scale of a scene seen by one camera: the output does not
 * change along them, and derivatives are rounding.
 */
function linearitySteps(
  scales: Float64Array,
  priors: Float64Array,
  { squares, values: count, hessian }: Curvature,
  { perIndependent, rounding }: { readonly perIndependent: number; readonly rounding: number },
): { readonly steps: Float64Array[]; readonly isDeterminedByPrior: boolean[] } {
  const n = scales.length;
  const variance = Math.max((squares / count) * perIndependent, 1e-100);
  const scaled = Float64Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    return (hessian[at] + (i === j ? variance * priors[i] : 0)) * scales[i] * scales[j];
  });
  const { values, vectors } = symmetricEigen(scaled);
  const least = Math.max(values[n - 1], 1e-100) * 1e-11;
  const isDeterminedByPrior = Array<boolean>(n).fill(false);
  const steps = Array.from({ length: n }, (_, i) => {
    const direction = new Float64Array(n);
    values.forEach((value, k) => {
      if (value > least) for (let j = 0; j < n; j++) direction[j] += (vectors[k][i] * vectors[k][j]) / value;
    });
    if (!(direction[i] > 0)) return direction;
    let priorOnly = 0;
    for (let j = 0; j < n; j++) priorOnly += variance * priors[j] * (direction[j] * scales[j]) ** 2;
    isDeterminedByPrior[i] = priorOnly > (1 - DETERMINED_BY_PRIOR) * direction[i];
    // Along C e_i: at the length of one standard error, J d has the squares of one residual.
    const length = Math.max(Math.sqrt(variance), CLEAR_OF_ROUNDING * rounding) / Math.sqrt(direction[i]);
    return direction.map((d, j) => d * length * scales[j]);
  });
  return { steps, isDeterminedByPrior };
}
