import type { LocalPosterior } from '../covariance/local-posterior.ts';
import type { Plan } from '../plan/plan.ts';
import type { End } from '../posterior/found.ts';
import type { OtherIntervals } from '../posterior/posterior.ts';
import { bootstrapOf, middle95 } from './bootstrap.ts';
import { profileOf } from './profile.ts';

/** Computes the profile or bootstrap intervals that the options request; null if they request none. */
export async function otherIntervals(plan: Plan, end: End, local: LocalPosterior): Promise<OtherIntervals | null> {
  const { unknowns, objective } = plan;
  const { intervals: method } = plan.options.uncertainty;
  if (method !== 'profile' && method !== 'bootstrap') return null;
  if (method === 'bootstrap') {
    const points = await bootstrapOf(plan, end.x, local);
    const draws = points?.map((point) => unknowns.values(point)) ?? null;
    const { standardErrors, intervals } = local.uncertainty;
    const of =
      draws &&
      unknowns.names.map((_, i) =>
        Number.isFinite(standardErrors[i]) ? middle95(draws.map((values) => values[i])) : intervals[i],
      );
    return { method, intervals: of, draws, better: null };
  }
  const { weight } = objective.residuals!;
  const { intervals, better } = await profileOf(plan, end, local.evidence.squares / weight, local.uncertainty);
  const of = intervals.map(
    ([low, high]) => [low ?? Number.NEGATIVE_INFINITY, high ?? Number.POSITIVE_INFINITY] as const,
  );
  return { method, intervals: of, draws: null, better };
}
