import type { AnyCheck, Check } from '../posterior/check.ts';
import { twoDigits } from '../posterior/sentences.ts';
import type { Estimate } from '../result.ts';
import type { SharedErrorOfGiven } from './given-errors.ts';

/** Subject of the checks of recordings that were estimated together. */
export interface JointPosterior {
  /** Names of the shared parameters; `atBounds`: which of them are at an end of their range; `errors`: how sure they are. */
  readonly names: readonly string[];
  readonly atBounds: readonly boolean[];
  readonly errors: readonly SharedErrorOfGiven[];
  readonly recordings: readonly { readonly name: string; readonly estimate: Pick<Estimate, 'verdict'> }[];
}

/** Share of untrusted recordings, 0 to 1, above which the shared parameters are not trusted either. */
const MAX_UNTRUSTED_SHARE = 1 / 3;
/** Share of the variance, 0 to 1, above which a given quantity is worth measuring better. */
const MOST = 0.5;

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
          part ** 2 > MOST * standardError ** 2 && {
            unknowns: [names[i]],
            note: `Most of the standard error of ${names[i]} comes from the tolerance of ${given}: ${twoDigits(part)} of ${twoDigits(standardError)}. A more exact value of ${given} makes it smaller.`,
          },
      ),
    ),
};

/** Names of all properties of a joint posterior, which checks may need. */
export const JOINT_POSTERIOR: readonly (keyof JointPosterior)[] = ['names', 'atBounds', 'errors', 'recordings'];

/** Checks of recordings that were estimated together. */
export const CHECKS: readonly AnyCheck<JointPosterior>[] = [atRangeEnd, untrustedRecordings, tolerance];
