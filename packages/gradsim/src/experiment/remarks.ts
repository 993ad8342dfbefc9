import type { StageRecord } from './record.ts';

/** Why a result is not to be trusted, the gravest reason first; nothing where it is. */
function distrust({ verdict }: Pick<StageRecord, 'verdict'>): string[] {
  const reasons = verdict.findings.filter(({ grave }) => grave).map(({ note }) => note);
  return reasons.length === 0 ? [] : [`Not to be trusted: ${reasons[0]}`, ...reasons.slice(1)];
}

/** Says of the answer that it is trusted, or why it is not. What is to reach a goal is judged by that alone. */
export function trust(record: Pick<StageRecord, 'verdict' | 'goal'>): string[] {
  if (record.goal || !record.verdict.trusted) return distrust(record);
  return ['Trusted: nothing was found that speaks against it.'];
}

/** Says how the search ended, which tells nothing of the answer; where there is a goal, whether it is reached. */
export function endingOf({ goal, stopped }: Pick<StageRecord, 'goal' | 'stopped'>): string {
  if (goal) return goal.reached ? 'reached' : 'not reached';
  return ENDINGS[stopped];
}

const ENDINGS = {
  tolerance: 'the search converged',
  iterations: 'the search stopped at the last iteration allowed',
  interrupted: 'the search was interrupted',
} as const;

/** What the observations do not determine, what has no standard error or no gradient, and what the experiment has to say. */
export function remarks(record: StageRecord): string[] {
  const { undetermined, leastDetermined, derived, withoutErrors, unmoved, notes, verdict } = record;
  // Of what is not determined each direction says more.
  const known = verdict.findings.filter(({ grave, kind }) => !grave && kind !== 'undetermined');
  const isSaid = verdict.findings.some(({ kind }) => kind === 'no standard errors');
  // What a prior is said to hold may change along with others that one holds: that is in its standard error.
  const held = new Set(
    verdict.findings.flatMap((finding) => (finding.kind === 'priors' ? (finding.unknowns ?? []) : [])),
  );
  const free = undetermined.filter(
    ({ named, standardDeviation }) => standardDeviation === null || named.some((name) => !held.has(name)),
  );
  const unknowns = [...Object.keys(record.parameters), ...Object.keys(record.arrays)];
  return [
    ...(unknowns.length > 1 && leastDetermined !== null ? [`Least determined: ${leastDetermined}.`] : []),
    ...(withoutErrors === undefined || isSaid ? [] : [withoutErrors]),
    ...[...known, ...free, ...unmoved].map(({ note }) => note),
    ...Object.entries(derived).flatMap(([name, { withoutValue }]) =>
      withoutValue === undefined ? [] : [`${name} has no value at the estimate: ${withoutValue}`],
    ),
    ...notes,
  ];
}
