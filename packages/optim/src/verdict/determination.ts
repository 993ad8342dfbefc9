import { UNEXPLAINED } from '../covariance/linearity.ts';
import { largestShare, sharesOf } from '../covariance/prior-shares.ts';
import type { UndeterminedDirection } from '../covariance/uncertainty.ts';
import type { Finding } from '../problem/finding.ts';
import { listed } from '../problem/finding.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { Case } from './case.ts';
import { short } from './numbers.ts';
import { tolerancesOf } from './priors.ts';

/** Share of an unknown's range that its interval covers, 0 to 1, above which observations hardly determine it. */
const MOST_OF_RANGE = 0.5;

/** Makes findings about unknowns that the observations determine poorly or not at all. */
export function determinationOf(given: Case): Finding[] {
  const { unknowns, uncertainty, unexplained } = given;
  if (!uncertainty) return [];
  const { names } = unknowns;
  const { determinedBy, undetermined, residuals } = uncertainty;
  const by = (what: string): string[] => names.filter((_, i) => determinedBy[i] === what);
  const free = by('nothing').filter((name) => (unexplained[names.indexOf(name)] ?? 0) <= UNEXPLAINED);
  const byTolerance = new Set(tolerancesOf(given).flatMap((finding) => finding.unknowns ?? []));
  const priors = by('priors').filter((name) => !byTolerance.has(name));
  const found: Finding[] = [];
  if (free.length > 0)
    found.push({
      kind: 'undetermined',
      isCritical: free.length === names.length,
      unknowns: free,
      note: [notesOf(undetermined, free), ...reasonsFor(unknowns, free)].join(' '),
    });
  found.push(...widely(given));
  if (priors.length > 0)
    found.push({ kind: 'priors', isCritical: false, unknowns: priors, note: priorsNote(given, priors) });
  if (residuals.measured === null)
    found.push({
      kind: 'correlation not measured',
      isCritical: false,
      note: 'There are too few frames and values to measure the correlation of residuals. Standard errors assume that residuals are independent, and are too small if they are not.',
    });
  return found;
}

/** Makes findings about unknowns whose interval covers most of the range that they may have. */
const widely = ({ unknowns, uncertainty }: Case): Finding[] =>
  unknowns.blocks.flatMap(({ name, first, isArray, isGiven, range }): Finding[] => {
    if (isArray || isGiven || !range || uncertainty!.determinedBy[first] !== 'observations') return [];
    const [low, high] = uncertainty!.intervals[first].map((end) => Math.min(Math.max(end, range[0]), range[1]));
    if (!(high - low > MOST_OF_RANGE * (range[1] - range[0]))) return [];
    const note =
      high - low === range[1] - range[0]
        ? `The observations do not determine ${name}: its 95 % interval is all that it may be, ${range[0]} to ${range[1]}.`
        : `The observations hardly determine ${name}: its 95 % interval is ${short(low)} to ${short(high)}, and it may only be ${range[0]} to ${range[1]}.`;
    return [{ kind: 'range', isCritical: false, unknowns: [name], note }];
  });

/** Sentence that names the priors from which most of the standard errors of some unknowns come. */
function priorsNote({ unknowns, ends, uncertainty }: Case, names: readonly string[]): string {
  const byPrior = new Map<string, string[]>();
  for (const name of names) {
    const shares = sharesOf(
      uncertainty!,
      unknowns,
      ends[0].x,
      unknowns.names.indexOf(name),
      ({ prior }) => prior !== undefined,
    );
    const most = largestShare(shares);
    // Arrays have priors of many values.
    const of = most?.[0] ?? 'its values';
    byPrior.set(of, [...(byPrior.get(of) ?? []), name]);
  }
  const each = [...byPrior].map(([prior, of]) => {
    const errors = of.length === 1 ? `standard error of ${of[0]} comes` : `standard errors of ${listed(of)} come`;
    return `the ${errors} mostly from ${of.length === 1 && of[0] === prior ? 'its own prior' : `the prior of ${prior}`}`;
  });
  return `The observations add little to what was known before: ${each.join('; ')}.`;
}

/** Reasons, given by the fields of undetermined unknowns, why observations may not depend on them. */
const reasonsFor = ({ blocks }: Unknowns, free: readonly string[]): string[] => [
  ...new Set(blocks.flatMap(({ name, unseen }) => (unseen && free.includes(name) ? [unseen] : []))),
];

function notesOf(undetermined: readonly UndeterminedDirection[], free: readonly string[]): string {
  const own = undetermined.filter(({ direction }) => free.some((name) => Math.abs(direction[name] ?? 0) > 0.2));
  return own[0]?.note ?? `${listed(free)} ${free.length > 1 ? 'are' : 'is'} not determined by these observations.`;
}
