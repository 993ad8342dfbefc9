import type { StageRecord } from '../experiment/record.ts';

/** What the observations do not determine, what has no standard error or no gradient, and what the experiment has to say. */
export function remarks(record: StageRecord): string[] {
  const { undetermined, leastDetermined, withoutErrors, unmoved, notes } = record;
  const unknowns = [...Object.keys(record.parameters), ...Object.keys(record.arrays)];
  return [
    ...(unknowns.length > 1 && leastDetermined !== null ? [`Least determined: ${leastDetermined}.`] : []),
    ...(withoutErrors === undefined ? [] : [withoutErrors]),
    ...[...undetermined, ...unmoved].map(({ note }) => note),
    ...notes,
  ];
}
