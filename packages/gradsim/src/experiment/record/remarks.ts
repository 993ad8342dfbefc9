import type { StageRecord } from './record.ts';

/** A sentence in which what is said of fields of an outline is said of the film. */
const inPlainWords = (note: string): string =>
  note
    .replace(
      /The residual of (?:world\.outline|outlineRays\.)\w+ is/g,
      'The drawn motion misses the film by more than it should,',
    )
    .replace(/the residual of (?:world\.outline|outlineRays\.)\w+/g, 'what the drawn motion misses the film by')
    .replace(/\b(?:world\.outline|outlineRays\.)\w+/g, 'the outline in the film');

/** Reasons why a result is not trusted, critical ones first; empty if it is trusted. */
function distrust({ verdict }: Pick<StageRecord, 'verdict'>): string[] {
  const reasons = verdict.findings.filter(({ isCritical }) => isCritical).map(({ note }) => note);
  const [first, ...others] = reasons.map(inPlainWords);
  return first === undefined ? [] : [`Not to be trusted: ${first}`, ...others];
}

/**
 * Sentences that say whether the answer is trusted, and why not. For a trusted problem with a goal there are none,
 * since only the goal counts.
 */
export function trust(record: Pick<StageRecord, 'verdict' | 'goal'>): string[] {
  if (record.goal || !record.verdict.trusted) return distrust(record);
  return ['Trusted: no check found anything against it.'];
}

/** Phrase for how the search ended, whether or not its result is trusted; with a goal, whether the goal is reached. */
export function endingOf({ goal, stopped }: Pick<StageRecord, 'goal' | 'stopped'>): string {
  if (goal) return goal.reached ? 'reached' : 'not reached';
  return ENDINGS[stopped];
}

const ENDINGS = {
  tolerance: 'the search converged',
  iterations: 'the search stopped at the last iteration allowed',
  interrupted: 'the search was interrupted',
} as const;

/** Part of a record that remarks are about. */
export type Remarkable = Pick<
  StageRecord,
  'undetermined' | 'leastDetermined' | 'derived' | 'withoutErrors' | 'unmoved' | 'notes' | 'verdict' | 'parameters'
> & { readonly arrays: object };

/** Remarks, and sentences on what the checks could not see. */
export const allRemarks = (record: Remarkable): string[] => [
  ...remarks(record),
  ...record.verdict.unseen.map(({ note }) => inPlainWords(note)),
];

/** Remarks on undetermined directions, on missing standard errors and gradients, and the experiment's own notes. */
export function remarks(record: Remarkable): string[] {
  const { undetermined, leastDetermined, derived, withoutErrors, unmoved, notes, verdict } = record;
  // Directions describe undetermined unknowns better.
  const known = verdict.findings.filter(({ isCritical, kind }) => !isCritical && kind !== 'undetermined');
  const isSaid = verdict.findings.some(({ kind }) => kind === 'no standard errors');
  // An unknown held by a prior may vary along with others that have one: that is in its standard error.
  const held = new Set(
    verdict.findings.flatMap((finding) =>
      finding.kind === 'priors' || finding.kind === 'tolerance' ? (finding.unknowns ?? []) : [],
    ),
  );
  const free = undetermined.filter(
    ({ mainUnknowns, standardDeviation }) => standardDeviation === null || mainUnknowns.some((name) => !held.has(name)),
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
  ].map(inPlainWords);
}
