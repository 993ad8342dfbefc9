import type { StageRecord } from './record.ts';

/** Why a result is not to be trusted, the gravest reason first; nothing where it is. */
export function distrust({ verdict }: StageRecord): string[] {
  const reasons = verdict.findings.filter(({ grave }) => grave).map(({ note }) => note);
  return reasons.length === 0 ? [] : [`Not to be trusted: ${reasons[0]}`, ...reasons.slice(1)];
}

/** How a search ended: where there is a goal, whether it is reached; else only what can be trusted has converged. */
export function endingOf({
  goal,
  verdict,
  stopped,
}: Pick<StageRecord, 'goal' | 'verdict' | 'stopped'>): 'reached' | 'missed' | 'distrusted' | StageRecord['stopped'] {
  if (!verdict.trusted) return 'distrusted';
  if (!goal) return stopped;
  return goal.reached ? 'reached' : 'missed';
}

/** What the observations do not determine, what has no standard error or no gradient, and what the experiment has to say. */
export function remarks(record: StageRecord): string[] {
  const { undetermined, leastDetermined, derived, withoutErrors, unmoved, notes, verdict } = record;
  // Of what is not determined each direction says more.
  const known = verdict.findings.filter(({ grave, kind }) => !grave && kind !== 'undetermined');
  const isSaid = verdict.findings.some(({ kind }) => kind === 'no standard errors');
  const unknowns = [...Object.keys(record.parameters), ...Object.keys(record.arrays)];
  return [
    ...(unknowns.length > 1 && leastDetermined !== null ? [`Least determined: ${leastDetermined}.`] : []),
    ...(withoutErrors === undefined || isSaid ? [] : [withoutErrors]),
    ...[...known, ...undetermined, ...unmoved].map(({ note }) => note),
    ...Object.entries(derived).flatMap(([name, { withoutValue }]) =>
      withoutValue === undefined ? [] : [`${name} has no value at the estimate: ${withoutValue}`],
    ),
    ...notes,
  ];
}
