import type { Sureness } from '../covariance/posterior-at.ts';
import type { End } from '../descent/descent.ts';
import type { Plan } from '../plan/plan.ts';
import { bootstrapOf, middle95 } from './bootstrap.ts';
import { profileOf } from './profile.ts';

/** 95 % intervals from a profile or a bootstrap, in addition to those from the curvature. */
export interface OtherIntervals {
  readonly by: 'profile' | 'bootstrap';
  /** Interval of each unknown's value; null if there was too little data. */
  readonly of: readonly (readonly [number, number])[] | null;
  /** Estimates of all unknowns in each bootstrap draw, [draw][unknown]; null for a profile. */
  readonly draws: readonly Float64Array[] | null;
  /**
   * A point that fits clearly better than the estimate, if a profile found one: its values, and the index of the
   * unknown along which it was found.
   */
  readonly better: { readonly values: Float64Array; readonly unknown: number } | null;
}

/** Computes the profile or bootstrap intervals that the options request; null if they request none. */
export async function otherIntervals(plan: Plan, end: End, sureness: Sureness): Promise<OtherIntervals | null> {
  const { unknowns, objective } = plan;
  const { intervals: by } = plan.options.uncertainty;
  if (by !== 'profile' && by !== 'bootstrap') return null;
  if (by === 'bootstrap') {
    const points = await bootstrapOf(plan, end.x, sureness);
    const draws = points?.map((point) => unknowns.values(point)) ?? null;
    const { standardErrors, intervals } = sureness.uncertainty;
    const of =
      draws &&
      unknowns.names.map((_, i) =>
        Number.isFinite(standardErrors[i]) ? middle95(draws.map((values) => values[i])) : intervals[i],
      );
    return { by, of, draws, better: null };
  }
  const { weight } = objective.residuals!;
  const profile = await profileOf(plan, end, sureness.evidence.squares / weight, sureness.uncertainty);
  const better = profile.better && {
    values: unknowns.values(profile.better.x),
    unknown: profile.better.unknown,
  };
  const of = profile.intervals.map(
    ([low, high]) => [low ?? Number.NEGATIVE_INFINITY, high ?? Number.POSITIVE_INFINITY] as const,
  );
  return { by, of, draws: null, better };
}
