import { sumOfProducts } from '@gradsim/base';
import type { Limits } from '../unknowns/limits.ts';
import { clamped, zeroedAtLimits } from '../unknowns/limits.ts';
import { falsePosition } from './false-position.ts';
import { strongWolfe } from './line-search.ts';
import type { Minimiser } from './minimiser.ts';

export interface LbfgsOptions {
  /** Maximum change of any coordinate in the first step. Default 0.05. */
  readonly learningRate?: number;
  /**
   * Loss that is known to be attainable, for example 0. The first step then ignores `learningRate`: it is 2 (loss -
   * attainable) / |gradient|^2 times the negative gradient, which leads to the minimum of a quadratic with this loss,
   * slope and minimum; the line search continues by false position.
   */
  readonly attainable?: number;
  /**
   * Share of the difference between loss and `attainable` that may remain when the first line search ends. Default
   * 0.05.
   */
  readonly remainder?: number;
  /** Number of recent steps, with their gradient changes, that are stored. Default 10. */
  readonly pairs?: number;
  /** Relative decrease of the loss; two consecutive steps with less end the descent. Default 1e-7. */
  readonly tolerance?: number;
  /** Relative rounding error of the loss; a smaller rise is ignored. Default 1e-12. */
  readonly rounding?: number;
  /** Lower and upper limits of the coordinates. Default: none. */
  readonly limits?: Limits;
}

/** A point with its loss and gradient. */
interface Evaluation {
  readonly point: Float64Array;
  readonly loss: number;
  readonly gradient: Float64Array;
}

/** A past step, the change of the gradient over it, and the inverse of their scalar product. */
interface Pair {
  readonly step: Float64Array;
  readonly change: Float64Array;
  readonly inverse: number;
}

/** Number of consecutive steps with negligible decrease of the loss that end the descent. */
const STALLED_STEPS = 2;

/**
 * L-BFGS with a line search for the strong Wolfe conditions: the curvature is estimated from the last few steps, so
 * that memory is proportional to the number of unknowns. Most steps take one evaluation.
 *
 * ```ts
 * import { lbfgs } from '@gradsim/optim';
 *
 * // (x - 3)^2 + 10 (y + 1)^2
 * const descent = lbfgs(Float64Array.of(0, 0));
 * while (!descent.isDone) {
 *   const [x, y] = descent.point;
 *   descent.tell((x - 3) ** 2 + 10 * (y + 1) ** 2, [2 * (x - 3), 20 * (y + 1)]);
 * }
 * console.log(descent.point);
 * ```
 * Source: J. Nocedal and S. J. Wright, Numerical Optimization, 2006, algorithms 7.4 and 7.5; `attainable`: B. T.
 * Polyak, Minimization of unsmooth functionals, 1969, for the root of the loss.
 *
 * @returns a descent; when it is done, `point` is the best point found.
 */
export function lbfgs(start: Float64Array, options: LbfgsOptions = {}): Minimiser {
  const way = descend(start, options);
  let next = way.next();
  return {
    get point() {
      return next.value;
    },
    get isDone() {
      return next.done === true;
    },
    acceptEvaluation(loss, gradient) {
      if (!next.done) next = way.next({ point: next.value, loss, gradient: Float64Array.from(gradient) });
    },
  };
}

/** Minimiser as a generator: yields points, receives their evaluations, and returns the last point. */
function* descend(start: Float64Array, options: LbfgsOptions): Generator<Float64Array, Float64Array, Evaluation> {
  const { learningRate = 0.05, attainable, remainder = 0.05, limits } = options;
  const { pairs: most = 10, tolerance = 1e-7, rounding = 1e-12 } = options;
  let here = yield start;
  const pairs: Pair[] = [];
  let stalled = 0;
  while (Number.isFinite(here.loss) && stalled < STALLED_STEPS) {
    const isFirst = pairs.length === 0;
    const free = limits ? zeroedAtLimits(here.gradient, here.point, limits) : here.gradient;
    // A coordinate at its limit that would leave it stays; the others move as if it were fixed.
    let direction = quasiNewton(free, pairs).map((d, k) => (free[k] === 0 && here.gradient[k] !== 0 ? 0 : d));
    let slope = sumOfProducts(direction, free);
    if (!(slope < 0)) {
      if (isFirst) break;
      pairs.length = 0;
      continue;
    }
    if (isFirst) {
      const longest = direction.reduce((most, d) => Math.max(most, Math.abs(d)), 0);
      const step =
        attainable !== undefined && here.loss > attainable
          ? (2 * (here.loss - attainable)) / -slope
          : learningRate / longest;
      direction = direction.map((d) => d * step);
      slope *= step;
    }
    const searchOf: SearchOf =
      isFirst && attainable !== undefined && here.loss > attainable
        ? (from) => falsePosition(from, 1, attainable, remainder)
        : (from) => strongWolfe(from, 1, rounding);
    const next = yield* alongLine(here, direction, slope, searchOf, limits);
    if (!next) {
      // The estimated curvature may be wrong; without any, steepest descent is the last attempt.
      if (isFirst) break;
      pairs.length = 0;
      continue;
    }
    storePair(pairs, here, next, most);
    if (here.loss - next.loss > tolerance * Math.abs(next.loss)) stalled = 0;
    else {
      // If the loss jumps, the pairs describe the jump: they are dropped, and the next step is steepest descent.
      stalled++;
      pairs.length = 0;
    }
    here = next;
  }
  return here.point;
}

/** Loss and slope at a step along a line, with the evaluation of the point. */
interface Trial {
  readonly loss: number;
  readonly slope: number;
  readonly evaluation: Evaluation | null;
}
/** A line search: given the evaluation at step 0, it yields steps and receives their evaluations. */
type SearchOf = (start: Trial) => Generator<number, Trial | null, Trial>;

/**
 * Runs a one-dimensional line search along a direction: converts its steps to points, which are clamped to the limits.
 */
function* alongLine(
  { point, loss }: Evaluation,
  direction: Float64Array,
  slope: number,
  searchOf: SearchOf,
  limits: Limits | undefined,
): Generator<Float64Array, Evaluation | null, Evaluation> {
  const search = searchOf({ loss, slope, evaluation: null });
  let next = search.next();
  while (!next.done) {
    const step = next.value;
    const straight = point.map((x, k) => x + step * direction[k]);
    const kept = limits ? clamped(straight, limits) : straight;
    const evaluation = yield kept;
    // Beyond its limit a coordinate stays, whatever the step.
    const along = direction.map((d, k) => (kept[k] === straight[k] ? d : 0));
    next = search.next({ loss: evaluation.loss, slope: sumOfProducts(evaluation.gradient, along), evaluation });
  }
  return next.value?.evaluation ?? null;
}

function storePair(pairs: Pair[], from: Evaluation, to: Evaluation, most: number): void {
  const step = to.point.map((x, k) => x - from.point[k]);
  const change = to.gradient.map((g, k) => g - from.gradient[k]);
  const curvature = sumOfProducts(step, change);
  if (!(curvature > 1e-12 * Math.sqrt(sumOfProducts(step, step) * sumOfProducts(change, change)))) return;
  pairs.push({ step, change, inverse: 1 / curvature });
  if (pairs.length > most) pairs.shift();
}

/**
 * Quasi-Newton direction -H g, with the inverse Hessian H approximated from the stored pairs, by the two-loop
 * recursion.
 */
function quasiNewton(gradient: Float64Array, pairs: readonly Pair[]): Float64Array {
  const q = gradient.map((g) => -g);
  const amounts = new Float64Array(pairs.length);
  for (let i = pairs.length - 1; i >= 0; i--) {
    const { step, change, inverse } = pairs[i];
    amounts[i] = inverse * sumOfProducts(step, q);
    addTo(q, change, -amounts[i]);
  }
  const last = pairs.at(-1);
  if (last) {
    const scale = 1 / (last.inverse * sumOfProducts(last.change, last.change));
    for (let k = 0; k < q.length; k++) q[k] *= scale;
  }
  for (const [i, { step, change, inverse }] of pairs.entries())
    addTo(q, step, amounts[i] - inverse * sumOfProducts(change, q));
  return q;
}

function addTo(to: Float64Array, what: Float64Array, times: number): void {
  for (let k = 0; k < to.length; k++) to[k] += times * what[k];
}
