import { NORMAL_97_5_QUANTILE } from '../covariance/uncertainty.ts';
import { addPriorsOfUnit, priorSquares } from '../objective/priors.ts';
import type { System } from '../objective/system.ts';
import { systemsOfResiduals } from '../objective/systems.ts';
import { noJournal } from '../plan/journal.ts';
import type { Plan } from '../plan/plan.ts';
import { simulate } from '../plan/plan.ts';
import type { End } from '../posterior/found.ts';
import type { BetterPoint } from '../posterior/posterior.ts';
import type { Uncertainty } from '../posterior/uncertainty.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import { ProfileWalk } from './profile-walk.ts';

/** Profile of the loss along each unknown, with the other unknowns refitted. */
export interface Profile {
  /**
   * 95 % interval of each unknown's value: between the points at which the loss has risen by as much as the curvature
   * predicts for the ends of its own interval. An end is null if the search for it did not finish, infinite if the loss
   * has not risen as much even ten times as far away, and for unknowns that are not profiled.
   */
  readonly intervals: readonly (readonly [number | null, number | null])[];
  /** Unknowns of whose intervals an end is not near; those of the others may be longer than they are. */
  readonly far: readonly number[];
  /**
   * Best point found while profiling, with the index of the unknown, if it fits clearly better than the estimate; else
   * null.
   */
  readonly better: BetterPoint | null;
}

/** Derivatives that fill a device: fewer are those of several points at once. */
const FULL = 16;
/** Gain in twice the log-likelihood above which a point belongs to another, better minimum. */
const MIN_LIKELIHOOD_GAIN = 4;

/**
 * Computes intervals from the profile of the loss, by the method of D. J. Venzon and S. H. Moolgavkar (Applied
 * Statistics 37, 1988) with Gauss-Newton Hessians: at each point the quadratic model, minimised over the other
 * unknowns, predicts where along the unknown the loss has risen enough, and the model is run there. Correlation of
 * residuals is taken into account as for standard errors: the required rise is that of a quadratic loss at the ends of
 * the curvature's interval (as composite likelihoods are adjusted, C. Varin, N. Reid and D. Firth, 2011), and priors
 * are weighted by the same variance of residuals. Both ends for several unknowns run as worlds of one batch.
 *
 * @param observed loss of the observations at the estimate, without priors.
 * @param options.along indices of the unknowns to profile; the intervals of the others are infinite. Default: all.
 * @param options.isNear true of a value of an unknown for which an end there need not be exact, if the other is near too.
 * Default: none.
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
    effectiveVariance,
  }: Pick<Uncertainty, 'deviations' | 'inverse' | 'rises' | 'standardErrors' | 'effectiveVariance'>,
  {
    along = [...standardErrors.keys()],
    isNear = () => false,
  }: { readonly along?: readonly number[]; readonly isNear?: (unknown: number, value: number) => boolean } = {},
): Promise<Profile> {
  const { unknowns, objective, controls } = plan;
  const n = unknowns.count;
  const limits = unknowns.limits();
  const scales = unknowns.scales();
  const { journal = noJournal } = controls;
  const { weight } = objective.residuals!;
  const lossUnit = effectiveVariance / weight;
  const priors = priorSquares(unknowns, at);
  const end = { x: at, loss: observed + lossUnit * priors.sum };
  // The search weighed priors by the residuals; where their variance is larger, priors would move the estimate, which stays.
  const { count, leastLoss } = objective.residuals!;
  const searched = Math.max(observed, leastLoss) / count;
  const slope = priors.gradient.map((g) => ((lossUnit - searched) * g) / 2);
  const levelled = ({ loss, gradient, hessian }: System, x: Float64Array): System => ({
    loss: loss - 2 * slope.reduce((sum, s, k) => sum + s * (x[k] - at[k]), 0),
    gradient: gradient.map((g, k) => g - slope[k]),
    hessian,
  });
  const valueAt = (x: Float64Array, unknown: number, coordinate: number): number => {
    const point = Float64Array.from(x);
    point[unknown] = coordinate;
    return unknowns.values(point)[unknown];
  };
  const walks = along.flatMap((unknown) =>
    Number.isFinite(standardErrors[unknown])
      ? ([-1, 1] as const).map((side) => {
          // The others move along the curvature's direction: of two unknowns that are only known together, one moved
          // alone is far off at once.
          const direction = scales.map((_, k) => inverse[k * n + unknown] / inverse[unknown * (n + 1)]);
          const halfLength = NORMAL_97_5_QUANTILE * deviations[unknown];
          return new ProfileWalk(
            {
              unknown,
              side,
              direction,
              halfLength,
              isNear: (coordinate) => isNear(unknown, valueAt(at, unknown, coordinate)),
              limits,
              scales,
            },
            end,
            rises[unknown] / weight,
          );
        })
      : [],
  );
  let better: (BetterPoint & { readonly loss: number }) | null = null;
  const atOnce = Math.max(1, Math.floor(FULL / n));
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
  const finish = async (all: readonly ProfileWalk[]): Promise<void> => {
    // The next walk begins where one has ended, so that no world is idle.
    for (let batch = all.slice(0, atOnce), next = batch.length; batch.length > 0 && !controls.signal?.aborted; ) {
      const found = await systems(batch.map(({ x }) => x));
      batch.forEach((walk, k) => {
        const system = found[k];
        if (system && system.loss < (better?.loss ?? end.loss - MIN_LIKELIHOOD_GAIN * lossUnit))
          better = { values: unknowns.values(walk.x), unknown: walk.unknown, loss: system.loss };
        walk.step(system);
      });
      batch = batch.filter(({ isFinished }) => !isFinished);
      const begun = all.slice(next, next + atOnce - batch.length);
      next += begun.length;
      batch.push(...begun);
    }
  };
  let far: number[] = [];
  try {
    await finish(walks);
    far = along.filter((i) => walks.some(({ unknown, isFar }) => unknown === i && isFar));
    for (const walk of walks) if (far.includes(walk.unknown)) walk.refine();
    await finish(walks.filter(({ isFinished }) => !isFinished));
  } finally {
    simulation?.dispose();
  }
  const ends: [number | null, number | null][] = Array.from({ length: n }, () => [
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ]);
  for (const { unknown, side, x, end: found } of walks) {
    const isValue = found !== null && Number.isFinite(found);
    ends[unknown][side > 0 ? 1 : 0] = isValue ? valueAt(x, unknown, found) : found;
  }
  return { intervals: ends, far, better };
}
