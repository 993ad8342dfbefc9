import { sumOfProducts } from '@gradsim/numeric';
import type { Limits } from '../unknowns/limits.ts';
import { clamped, within } from '../unknowns/limits.ts';
import type { Descent } from './descent.ts';
import { falsePosition } from './false-position.ts';
import { strongWolfe } from './line-search.ts';

export interface LbfgsOptions {
  /** Maximum length of the first step in any coordinate. Default 0.05. */
  readonly learningRate?: number;
  /**
   * Loss that is known to be attainable, 0 say. The first step then ignores `learningRate`: it goes to where a square
   * that falls along the gradient like the loss would reach it, 2 (loss - attainable) / |gradient|^2 times the
   * gradient, and continues by false position.
   */
  readonly attainable?: number;
  /** Share of the gain towards `attainable` that may remain when the first line search ends. Default 0.05. */
  readonly remainder?: number;
  /** Number of pairs of steps and gradient changes that are kept. Default 10. */
  readonly pairs?: number;
  /** Relative gain below which two steps in a row end the descent. Default 1e-7. */
  readonly tolerance?: number;
  /** Relative rounding error of losses: a smaller rise counts as none. Default 1e-12. */
  readonly rounding?: number;
  /** Limits of the coordinates. Default: none. */
  readonly limits?: Limits;
}

/** Loss at a point, with its gradient. */
interface Evaluation {
  readonly point: Float64Array;
  readonly loss: number;
  readonly gradient: Float64Array;
}

/** A step, the change of the gradient over it, and 1 / (step . change). */
interface Pair {
  readonly step: Float64Array;
  readonly change: Float64Array;
  readonly inverse: number;
}

/** Number of consecutive steps with negligible gain that end the descent. */
const CALM_STEPS = 2;

/**
 * L-BFGS with a line search for the strong Wolfe conditions: the curvature is estimated from the last few steps, so its
 * memory is proportional to the number of unknowns. Nearly every step takes one evaluation.
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
 * Source: J. Nocedal and S. J. Wright, Numerical Optimization, 2006, algorithms 7.4 and 7.5; `attainable`: B. T. Polyak,
 * Minimization of unsmooth functionals, 1969, for the root of the loss.
 *
 * @returns a descent; when it is done, `point` is the best that it found.
 */
export function lbfgs(start: Float64Array, options: LbfgsOptions = {}): Descent {
  const way = descend(start, options);
  let next = way.next();
  return {
    get point() {
      return next.value;
    },
    get isDone() {
      return next.done === true;
    },
    tell(loss, gradient) {
      if (!next.done) next = way.next({ point: next.value, loss, gradient: Float64Array.from(gradient) });
    },
  };
}

/** Yields points, receives their evaluation, and returns the last one. */
function* descend(start: Float64Array, options: LbfgsOptions): Generator<Float64Array, Float64Array, Evaluation> {
  const { learningRate = 0.05, attainable, remainder = 0.05, limits } = options;
  const { pairs: most = 10, tolerance = 1e-7, rounding = 1e-12 } = options;
  let here = yield start;
  const pairs: Pair[] = [];
  let calm = 0;
  while (Number.isFinite(here.loss) && calm < CALM_STEPS) {
    const isFirst = pairs.length === 0;
    const free = limits ? within(here.gradient, here.point, limits) : here.gradient;
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
    remember(pairs, here, next, most);
    if (here.loss - next.loss > tolerance * Math.abs(next.loss)) calm = 0;
    else {
      // If the loss jumps, the pairs describe the jump: they are dropped, and the next step is steepest descent.
      calm++;
      pairs.length = 0;
    }
    here = next;
  }
  return here.point;
}

/** A point along a line, and its evaluation. */
interface Trial {
  readonly loss: number;
  readonly slope: number;
  readonly at: Evaluation | null;
}
/** A line search from the evaluation at its start. */
type SearchOf = (start: Trial) => Generator<number, Trial | null, Trial>;

/** Adapts a line search to points. */
function* alongLine(
  { point, loss }: Evaluation,
  direction: Float64Array,
  slope: number,
  searchOf: SearchOf,
  limits: Limits | undefined,
): Generator<Float64Array, Evaluation | null, Evaluation> {
  const search = searchOf({ loss, slope, at: null });
  let next = search.next();
  while (!next.done) {
    const step = next.value;
    const straight = point.map((x, k) => x + step * direction[k]);
    const kept = limits ? clamped(straight, limits) : straight;
    const at = yield kept;
    // Beyond its limit a coordinate stays, whatever the step.
    const along = direction.map((d, k) => (kept[k] === straight[k] ? d : 0));
    next = search.next({ loss: at.loss, slope: sumOfProducts(at.gradient, along), at });
  }
  return next.value?.at ?? null;
}

function remember(pairs: Pair[], from: Evaluation, to: Evaluation, most: number): void {
  const step = to.point.map((x, k) => x - from.point[k]);
  const change = to.gradient.map((g, k) => g - from.gradient[k]);
  const curvature = sumOfProducts(step, change);
  if (!(curvature > 1e-12 * Math.sqrt(sumOfProducts(step, step) * sumOfProducts(change, change)))) return;
  pairs.push({ step, change, inverse: 1 / curvature });
  if (pairs.length > most) pairs.shift();
}

/** -H g, with the inverse Hessian H that the pairs suggest: the recursion of two loops. */
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
