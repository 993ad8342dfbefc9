import type { AnyCheck, Check } from '../posterior/check.ts';
import { formatDistinctFrom, twoDigits } from '../posterior/sentences.ts';
import type { Usual } from '../problem/parameter.ts';
import type { Estimate } from '../result.ts';
import { unusualValue } from '../verdict/checks/usual.ts';
import type { SharedErrorOfGiven } from './given-errors.ts';

/** Subject of the checks of recordings that were estimated together. */
export interface JointPosterior {
  /** Names of the shared parameters; `values`: their estimates; `atBounds`: which of them are at an end of their range; `errors`: how sure they are. */
  readonly names: readonly string[];
  readonly values: readonly number[];
  readonly atBounds: readonly boolean[];
  readonly errors: readonly SharedErrorOfGiven[];
  readonly recordings: readonly { readonly name: string; readonly estimate: Pick<Estimate, 'verdict'> }[];
  /** Estimates from each recording alone, whose standard errors are compared; none where disagreement tells the errors. */
  readonly alone: readonly Pick<Estimate, 'parameters'>[];
  /** Units of the shared parameters, and their usual values. */
  readonly units: readonly string[];
  readonly usualRanges: readonly (Usual | undefined)[];
}

/** Distance of two recordings, in standard errors, above which it is told. */
const MAX_DISAGREEMENT = 3;

/** Share of untrusted recordings, 0 to 1, above which the shared parameters are not trusted either. */
const MAX_UNTRUSTED_SHARE = 1 / 3;
/** Share of the variance, 0 to 1, above which a given quantity is worth measuring better. */
const MAX_VARIANCE_SHARE = 0.5;

const atRangeEnd: Check<JointPosterior> = {
  kind: 'range',
  rank: 10,
  isCritical: true,
  find: ({ names, atBounds }) => {
    const at = names.filter((_, i) => atBounds[i]);
    const note = `${at.join(', ')} ${at.length > 1 ? 'are at the ends of their ranges' : 'is at an end of its range'}: the range determines ${at.length > 1 ? 'them' : 'it'}, not the recordings.`;
    return at.length > 0 && { unknowns: at, note };
  },
};

const untrustedRecordings: Check<JointPosterior> = {
  kind: 'unexplained',
  rank: 20,
  isCritical: true,
  find: ({ recordings }) => {
    const untrusted = recordings.filter(({ estimate: { verdict } }) => !verdict.trusted);
    const each = untrusted.map(({ name, estimate: { verdict } }) => `${name} (${verdict.findings[0].kind})`);
    return (
      untrusted.length > 0 && {
        isCritical: untrusted.length > MAX_UNTRUSTED_SHARE * recordings.length,
        note: `${untrusted.length} of ${recordings.length} recordings are not trusted: ${each.join(', ')}.`,
      }
    );
  },
};

/** Finds given quantities that cause more than half of a shared parameter's variance. */
const tolerance: Check<JointPosterior> = {
  kind: 'tolerance',
  rank: 30,
  isCritical: false,
  find: ({ names, errors }) =>
    errors.flatMap(({ standardError, ofGiven }, i) =>
      Object.entries(ofGiven).map(
        ([given, part]) =>
          standardError !== null &&
          Number.isFinite(standardError) &&
          part ** 2 > MAX_VARIANCE_SHARE * standardError ** 2 && {
            unknowns: [names[i]],
            note: `Most of the standard error of ${names[i]} comes from the tolerance of ${given}: ${twoDigits(part)} of ${twoDigits(standardError)}. A more exact value of ${given} makes it smaller.`,
          },
      ),
    ),
};

/** Finds pairs of recordings that alone tell different values of what they share: the one that is farthest of each. */
const disagreement: Check<JointPosterior> = {
  kind: 'disagreement',
  rank: 15,
  isCritical: true,
  find: ({ names, recordings, alone }) =>
    names.map((name) => {
      const all = alone.flatMap(({ parameters }, k) => {
        const { estimate, standardError = null, unit = '' } = parameters[name] ?? {};
        return estimate === undefined || standardError === null || !Number.isFinite(standardError)
          ? []
          : [{ name: recordings[k].name, estimate, standardError, unit }];
      });
      const pairs = all.flatMap((a, i) =>
        all.slice(i + 1).map((b) => ({
          a,
          b,
          far: Math.abs(a.estimate - b.estimate) / Math.hypot(a.standardError, b.standardError),
        })),
      );
      const worst = pairs.reduce<(typeof pairs)[number] | undefined>(
        (w, p) => (w && w.far >= p.far ? w : p),
        undefined,
      );
      if (!worst || !(worst.far > MAX_DISAGREEMENT)) return null;
      const { a, b, far } = worst;
      const told = ({ name: who, estimate, standardError, unit }: typeof a): string =>
        `${who} alone tells ${name} ${formatDistinctFrom(estimate, (who === a.name ? b : a).estimate)} ± ${twoDigits(standardError)}${unit && ` ${unit}`}`;
      return {
        unknowns: [name],
        note: `The recordings disagree: ${told(a)}, and ${told(b)}, which are ${far.toFixed(1)} standard errors apart. They are not of one thing, or what was measured beside one of them is wrong.`,
      };
    }),
};

/** Finds shared parameters whose values lie outside of the range that is usual, beyond their standard errors. */
const unusual: Check<JointPosterior> = {
  kind: 'unusual',
  rank: 25,
  isCritical: true,
  find: ({ names, values, errors, units, usualRanges }) =>
    names.map((name, i) => {
      const error = errors[i].standardError;
      return error !== null && unusualValue(name, values[i], error, { unit: units[i], usual: usualRanges[i] });
    }),
};

/** Names of all properties of a joint posterior, which checks may need. */
export const JOINT_POSTERIOR: readonly (keyof JointPosterior)[] = [
  'names',
  'values',
  'atBounds',
  'errors',
  'recordings',
  'alone',
  'units',
  'usualRanges',
];

/** Checks of recordings that were estimated together. */
export const JOINT_CHECKS: readonly AnyCheck<JointPosterior>[] = [
  atRangeEnd,
  disagreement,
  untrustedRecordings,
  unusual,
  tolerance,
];
