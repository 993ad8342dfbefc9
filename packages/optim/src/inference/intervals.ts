import type { End } from '../search/descent-run.ts';
import type { Plan } from '../search/plan.ts';
import { bootstrapOf, middle95 } from './bootstrap.ts';
import { profileOf } from './profile.ts';
import type { Sureness } from './sureness.ts';
import { lossUnitOf } from './sureness.ts';

/** 95 % intervals that are not the curvature's. */
export interface OtherIntervals {
  readonly by: 'profile' | 'bootstrap';
  /** By unknown; null where there was too little to find them with. */
  readonly of: readonly (readonly [number, number])[] | null;
  /** Of a bootstrap: the values of all unknowns, draw by draw. */
  readonly draws: readonly Float64Array[] | null;
  /** Of a profile: the values of a point that fits clearly better, and the unknown along which it was met. */
  readonly better: { readonly values: Float64Array; readonly unknown: number } | null;
}

/** Finds the intervals that the options ask for beside those of the curvature. */
export async function otherIntervals(plan: Plan, end: End, sureness: Sureness): Promise<OtherIntervals | null> {
  const { unknowns, objective } = plan;
  const { intervals: by } = plan.options.uncertainty;
  if (by === 'curvature') return null;
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
  const { uncertainty } = sureness;
  const profile = await profileOf(
    plan,
    end,
    { ...uncertainty, rises: uncertainty.rises.map((rise) => rise / weight) },
    lossUnitOf(sureness, objective),
  );
  const better = profile.better && {
    values: unknowns.values(profile.better.x),
    unknown: profile.better.unknown,
  };
  return { by, of: profile.intervals, draws: null, better };
}
