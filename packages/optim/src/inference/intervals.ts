import type { End } from '../search/descent-run.ts';
import type { Plan } from '../search/plan.ts';
import { bootstrapOf, middle95 } from './bootstrap.ts';
import { profileOf } from './profile.ts';
import type { Sureness } from './sureness.ts';

/** 95 % intervals from a profile or a bootstrap, beside those of the curvature. */
export interface OtherIntervals {
  readonly by: 'profile' | 'bootstrap';
  /** Intervals by unknown; null if there was too little data for them. */
  readonly of: readonly (readonly [number, number])[] | null;
  /** Values of all unknowns, draw by draw, of a bootstrap. */
  readonly draws: readonly Float64Array[] | null;
  /** Values of a point that fits clearly better, found by a profile, and the unknown along which it was found. */
  readonly better: { readonly values: Float64Array; readonly unknown: number } | null;
}

/** Finds the intervals that the options request beside those of the curvature; null if they request none. */
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
  return { by, of: profile.intervals, draws: null, better };
}
