import { sumOfProducts } from '@gradsim/numeric';
import { symmetricEigen } from '@gradsim/numeric/decompositions';
import { addPriorsOfUnit, priorSquares } from '../objective/priors.ts';
import type { System } from '../objective/system.ts';
import { systemsOfResiduals } from '../objective/systems.ts';
import type { End } from '../search/descent-run.ts';
import { noJournal } from '../search/journal.ts';
import type { Plan } from '../search/plan.ts';
import { simulate } from '../search/plan.ts';
import type { Limits } from '../unknowns/limits.ts';
import { clamped } from '../unknowns/limits.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import type { Uncertainty } from './uncertainty.ts';

/** Profile of the loss along each unknown, with the other unknowns refitted. */
export interface Profile {
  /**
   * 95 % interval of each unknown's value: between the points at which the loss has risen by as much as the curvature
   * predicts for the ends of its own interval.
   */
  readonly intervals: readonly (readonly [number, number])[];
  /**
   * Best point found while profiling, with the index of the unknown, if it fits clearly better than the estimate; else
   * null.
   */
  readonly better: { readonly x: Float64Array; readonly unknown: number } | null;
}

/** Maximum number of worlds run at once, unless a single unknown needs more. */
const WORLDS = 64;
/** Maximum number of steps towards each end of an interval. */
const ROUNDS = 20;
/** Relative tolerance of the loss's rise at an end of an interval, and of the refit of the other unknowns. */
const NEAR = 0.03;
/** Gain in twice the log-likelihood above which a point belongs to another, better minimum. */
const CLEARLY = 4;
/**
 * Share of the loss's rise, 0 to 1, that further refitting may still remove while the other unknowns count as fitted.
 */
const MAX_UNFITTED_SHARE = 0.5;
/** Smallest eigenvalue that counts as information, of the other unknowns' Hessian scaled to a unit diagonal. */
const LOST = 1e-11;

/** State of the search for one end of one unknown's interval. */
interface Walk {
  readonly unknown: number;
  readonly side: 1 | -1;
  x: Float64Array;
  /** Farthest point found with a loss below the target; `outer`: nearest point with a loss above it. */
  inner: { readonly x: Float64Array };
  outer: { readonly x: Float64Array } | null;
  end: number | null;
}

/**
 * Computes intervals from the profile of the loss, by the method of D. J. Venzon and S. H. Moolgavkar (Applied
 * Statistics 37, 1988) with Gauss-Newton Hessians: at each point the quadratic model, minimised over the other
 * unknowns, predicts where along the unknown the loss has risen enough, and the model is run there. Correlation of
 * residuals is taken into account as for standard errors: the required rise is that of a quadratic loss at the ends of
 * the curvature's interval (as composite likelihoods are adjusted, C. Varin, N. Reid and D. Firth, 2011), and priors
 * are weighted by the same variance of residuals. Both ends for several unknowns run as worlds of one batch.
 *
 * @param observed loss of the observations at the estimate, without priors.
 * @param along indices of the unknowns to profile; the intervals of the others are infinite. Default: all.
 */
export async function profileOf(
  plan: Plan,
  { x: at }: Pick<End, 'x'>,
  observed: number,
  {
    deviations,
    inverse,
    rises,
    standardErrors,
    together,
  }: Pick<Uncertainty, 'deviations' | 'inverse' | 'rises' | 'standardErrors' | 'together'>,
  along: readonly number[] = [...standardErrors.keys()],
): Promise<Profile> {
  const { unknowns, objective, controls } = plan;
  const n = unknowns.count;
  const limits = unknowns.limits();
  const scales = unknowns.scales();
  const { journal = noJournal } = controls;
  const { weight } = objective.residuals!;
  const lossUnit = together / weight;
  const priors = priorSquares(unknowns, at);
  const end = { x: at, loss: observed + lossUnit * priors.sum };
  // The search weighed priors by the residuals; where their variance is larger, priors would move the estimate, which stays.
  const searched = observed / objective.residuals!.count;
  const slope = priors.gradient.map((g) => ((lossUnit - searched) * g) / 2);
  const levelled = ({ loss, gradient, hessian }: System, x: Float64Array): System => ({
    loss: loss - 2 * slope.reduce((sum, s, k) => sum + s * (x[k] - at[k]), 0),
    gradient: gradient.map((g, k) => g - slope[k]),
    hessian,
  });
  const walks = along.flatMap((unknown) =>
    Number.isFinite(standardErrors[unknown])
      ? ([-1, 1] as const).map((side): Walk => {
          // The others move along the curvature's direction: of two unknowns that are only known together, one moved
          // alone is far off at once.
          const way = scales.map((_, k) => inverse[k * n + unknown] / inverse[unknown * (n + 1)]);
          const reach = longest(way, scales, 1.96 * deviations[unknown]);
          const x = end.x.map((value, k) => value + side * reach * way[k]);
          return { unknown, side, x: clamped(x, limits), inner: end, outer: null, end: null };
        })
      : [],
  );
  let better: { readonly x: Float64Array; readonly unknown: number; readonly loss: number } | null = null;
  const atOnce = Math.max(1, Math.floor(WORLDS / n));
  const simulation = walks.length > 0 ? await simulate(plan, 'tangent', Math.min(atOnce, walks.length)) : null;
  const systems = async (points: readonly Float64Array[]): Promise<(System | null)[]> => {
    const all = Array.from({ length: Math.min(atOnce, walks.length) }, (_, k) => points[k] ?? points[0]);
    try {
      return await journal.once('profile', all, async () => {
        const found = await systemsOfResiduals(simulation!, unknowns, objective.residuals!, all);
        return found.map((system, k) => levelled(addPriorsOfUnit(system, unknowns, all[k], lossUnit), all[k]));
      });
    } catch (error) {
      if (error instanceof RunFailure) return all.map(() => null);
      throw error;
    }
  };
  try {
    for (let from = 0; from < walks.length; from += atOnce) {
      const batch = walks.slice(from, from + atOnce);
      for (let round = 0; round < ROUNDS && batch.some((walk) => walk.end === null); round++) {
        if (controls.signal?.aborted) break;
        const found = await systems(batch.map(({ x }) => x));
        batch.forEach((walk, k) => {
          const system = found[k];
          if (walk.end !== null) return;
          if (system && system.loss < (better?.loss ?? end.loss - CLEARLY * lossUnit))
            better = { x: walk.x, unknown: walk.unknown, loss: system.loss };
          stepOn(walk, system, {
            target: end.loss + rises[walk.unknown] / weight,
            loss: end.loss,
            start: end.x[walk.unknown],
            limits,
            scales,
          });
        });
      }
    }
  } finally {
    simulation?.dispose();
  }
  const ends = new Float64Array(2 * n).map((_, at) => (at % 2 === 0 ? -1 : 1) * Number.POSITIVE_INFINITY);
  for (const { unknown, side, end: at, outer, x } of walks) {
    // An end that was not reached lies somewhere before the point that was too far.
    const coordinate = at ?? outer?.x[unknown];
    if (coordinate === undefined) continue;
    const point = Float64Array.from(x);
    point[unknown] = coordinate;
    ends[2 * unknown + (side > 0 ? 1 : 0)] = unknowns.values(point)[unknown];
  }
  return {
    intervals: Array.from({ length: n }, (_, i) => [ends[2 * i], ends[2 * i + 1]] as const),
    better,
  };
}

/** Largest factor of a step, at most `most`, by which no unknown moves by more than its natural step. */
const longest = (step: ArrayLike<number>, scales: Float64Array, most: number): number =>
  scales.reduce((least, scale, k) => Math.min(least, scale / Math.max(Math.abs(step[k]), 1e-300)), most);

interface Aim {
  /** Loss at the end of the interval that is searched for; `loss`: at the estimate. */
  readonly target: number;
  readonly loss: number;
  /** Coordinate of the unknown at the estimate. */
  readonly start: number;
  readonly limits: Limits;
  readonly scales: Float64Array;
}

/** Moves a search one step towards the end of the interval, or marks it as finished. */
function stepOn(walk: Walk, system: System | null, { target, loss, start, limits, scales }: Aim): void {
  const { unknown: i, side, x } = walk;
  const isRead = system && [system.loss, ...system.gradient, ...system.hessian].every(Number.isFinite);
  if (!isRead) {
    walk.outer = { x };
    walk.x = between(walk.inner.x, x);
    return;
  }
  const model = profileModel(system, i, x, limits, scales);
  const rise = target - loss;
  const isLimited = side > 0 ? x[i] >= limits.high[i] : x[i] <= limits.low[i];
  if (isLimited && system.loss < target) {
    walk.end = x[i];
    return;
  }
  const s = model.reach(target, side);
  if (Math.max(system.loss - model.least, Math.abs(system.loss - target)) < NEAR * rise) {
    // The remaining distance is small, or the loss is rough here.
    const [left, way] = [Math.abs(s), Math.abs(x[i] - start)];
    walk.end = left < NEAR * way ? x[i] + s : x[i];
    return;
  }
  // Refitted, the loss lies between the model's minimum and its present value.
  if (system.loss < target && side * (x[i] - walk.inner.x[i]) > 0) walk.inner = { x };
  // While the others still make up most of the loss, its model is unreliable.
  const isFitted = system.loss - model.least < MAX_UNFITTED_SHARE * (system.loss - loss);
  if (isFitted && model.least > target && !(walk.outer && side * (walk.outer.x[i] - x[i]) < 0)) walk.outer = { x };
  const moved = (along: number): Float64Array => {
    const others = model.others(along);
    const step = x.map((_, k) => (k === i ? along : others[k]));
    const shrink = longest(step, scales, 1);
    return clamped(
      x.map((value, k) => value + shrink * step[k]),
      limits,
    );
  };
  if (!isFitted && model.least > target) {
    walk.x = moved(0);
    return;
  }
  const next = moved(s);
  // If the loss is no parabola, bisect between the points that are too near and too far.
  const [near, far] = [walk.inner.x[i], walk.outer?.x[i] ?? side * Number.POSITIVE_INFINITY];
  const isBetween = side * (next[i] - near) > 0 && side * (far - next[i]) > 0;
  if (isBetween || !walk.outer) {
    walk.x = next;
    return;
  }
  const middle = between(walk.inner.x, walk.outer.x);
  // If it is in the middle already, only the others are refitted.
  walk.x = middle[i] === x[i] ? moved(0) : middle;
}

const between = (a: Float64Array, b: Float64Array): Float64Array => a.map((value, k) => (value + b[k]) / 2);

interface ProfileModel {
  /** Predicted loss at the present value of the unknown with the other unknowns refitted. */
  readonly least: number;
  /** Returns the step of the unknown, to a side, at which the predicted refitted loss equals the target. */
  readonly reach: (target: number, side: 1 | -1) => number;
  /** Returns the step of all other unknowns that minimises the loss when the unknown takes the step s. */
  readonly others: (s: number) => Float64Array;
}

/**
 * Minimises the quadratic model L + 2 g d + d H d over all unknowns but i; the result is c + 2 b s + a s^2 in the step
 * s of i.
 */
function profileModel(
  { loss, gradient, hessian }: System,
  i: number,
  x: Float64Array,
  { low, high }: Limits,
  scales: Float64Array,
): ProfileModel {
  const n = gradient.length;
  const isHeld = (k: number): boolean => (x[k] <= low[k] && gradient[k] > 0) || (x[k] >= high[k] && gradient[k] < 0);
  const free = [...Array(n).keys()].filter((k) => k !== i && !isHeld(k));
  const { values, vectors } =
    free.length > 0
      ? symmetricEigen(free.flatMap((j) => free.map((k) => hessian[j * n + k] * scales[j] * scales[k])))
      : { values: [], vectors: [] };
  const least = Math.max(0, ...values) * LOST;
  const solved = (right: readonly number[]): number[] => {
    const solution = right.map(() => 0);
    values.forEach((value, e) => {
      if (!(value > least)) return;
      const along = vectors[e].reduce((sum, v, k) => sum + v * right[k] * scales[free[k]], 0) / value;
      vectors[e].forEach((v, k) => {
        solution[k] += along * v * scales[free[k]];
      });
    });
    return solution;
  };
  const g = free.map((k) => gradient[k]);
  const h = free.map((k) => hessian[i * n + k]);
  const [toG, toH] = [solved(g), solved(h)];
  const a = hessian[i * n + i] - sumOfProducts(h, toH);
  const b = gradient[i] - sumOfProducts(h, toG);
  const c = loss - sumOfProducts(g, toG);
  return {
    least: c,
    reach: (target, side) => {
      if (!(a > 0)) return side * scales[i];
      const inside = b * b - a * (c - target);
      return (-b + side * Math.sqrt(Math.max(0, inside))) / a;
    },
    others: (s) => {
      const moved = new Float64Array(n);
      free.forEach((k, at) => {
        moved[k] = -toG[at] - toH[at] * s;
      });
      return moved;
    },
  };
}
