import { clockShare } from '../../covariance/frame-rate.ts';
import { jointShift } from '../../covariance/joint-shift.ts';
import { largestShare, sharesOf } from '../../covariance/prior-shares.ts';
import { FALSE_ALARMS } from '../../noise/significance.ts';
import { priorDeviations } from '../../objective/priors.ts';
import type { Check, Remark, WithPresent } from '../../posterior/check.ts';
import { formatDistinctFrom, listed, MAX_NAMED, twoDigits } from '../../posterior/sentences.ts';
import type { Subject } from '../subject.ts';

/**
 * Deviation of an estimate from its prior's mean, in the prior's standard deviations, above which observations and
 * prior contradict each other.
 */
const AGAINST_PRIOR = 3.5;
/**
 * Deviation of an estimate from its prior's mean, in the prior's standard deviations, above which the finding of a
 * joint shift names the unknown.
 */
const SOME_SHIFT = 0.5;
/**
 * Share of an unknown's variance that is due to one given quantity, 0 to 1, above which the given quantity is named.
 */
const NAMED_VARIANCE_SHARE = 0.5;

/** Finds observations that contradict priors: one of these is wrong, or the model is. */
export const againstPriors: Check<Subject> = {
  kind: 'against priors',
  rank: 160,
  isCritical: true,
  find: (subject) => {
    const joint = movedTogether(subject);
    if (joint) return !joint.isOfGiven && joint.remark;
    const givens = givensOf(subject);
    return farPriors(subject).map(
      ({ name, deviation }) =>
        !givens.has(name) && {
          unknowns: [name],
          note: `The estimate of ${name} is ${Math.abs(deviation).toFixed(0)} standard deviations of its prior ${deviation > 0 ? 'above' : 'below'} the prior's mean: the prior or the model is wrong.`,
        },
    );
  },
};

/** Finds observations that contradict the measured value of a given quantity. */
export const againstGiven: Check<Subject> = {
  kind: 'against given',
  rank: 140,
  isCritical: true,
  find: (subject) => {
    const joint = movedTogether(subject);
    if (joint) return joint.isOfGiven && joint.remark;
    const givens = givensOf(subject);
    const { unknowns, coordinates } = subject;
    const values = unknowns.numbers(unknowns.values(coordinates));
    return farPriors(subject).map(({ name, deviation }) => {
      const given = givens.get(name);
      if (!given) return null;
      const { mean, standardDeviation } = given.prior!;
      const of = given.unit ? ` ${given.unit}` : '';
      // The estimate lies between the truth and the measured value: it would be a wrong advice.
      const note = `${name} was given as ${formatDistinctFrom(mean[0], values[name])} ± ${twoDigits(standardDeviation)}${of}, but the observations indicate a ${deviation > 0 ? 'larger' : 'smaller'} value, at least ${Math.abs(deviation).toFixed(0)} tolerances away. Measure it again, and see that it is what was asked for, such as a radius, not a diameter, in the right unit; otherwise the model lacks something with the same effect.`;
      return { note };
    });
  },
};

const givensOf = ({ unknowns }: Subject) =>
  new Map(unknowns.blocks.flatMap((block) => (block.isGiven ? [[block.name, block]] : [])));

/** Unknowns and given quantities that are each too far from the means of their priors. */
const farPriors = ({ unknowns, coordinates }: Subject) =>
  priorDeviations(unknowns, coordinates).filter(({ deviation }) => Math.abs(deviation) > AGAINST_PRIOR);

/**
 * Finds that several unknowns deviate from their priors by amounts that are each plausible, but not together; null if
 * one is too far by itself. `isOfGiven`: true if a given quantity is among them.
 */
function movedTogether(subject: Subject): { readonly remark: Remark; readonly isOfGiven: boolean } | null {
  const { unknowns, coordinates, uncertainty } = subject;
  if (!uncertainty || farPriors(subject).length > 0) return null;
  const joint = jointShift(unknowns, coordinates, uncertainty);
  if (!joint || (joint.pValue > FALSE_ALARMS.priors && joint.largest < AGAINST_PRIOR)) return null;
  const named = joint.shifts
    .filter(({ deviation }, k) => k === 0 || Math.abs(deviation) > SOME_SHIFT)
    .slice(0, MAX_NAMED);
  const givens = givensOf(subject);
  const each = named.map(
    ({ name, deviation }) => `${name} by ${deviation > 0 ? '+' : '-'}${Math.abs(deviation).toFixed(1)}`,
  );
  return {
    isOfGiven: named.some(({ name }) => givens.has(name)),
    remark: {
      unknowns: named.map(({ name }) => name).filter((name) => !givens.has(name)),
      note: `The observations shift several quantities from their priors at once, in standard deviations of the priors: ${each.join(', ')}. If the model and the priors are right, such shifts have a probability of ${twoDigits(joint.pValue)}, and the largest is ${joint.largest.toFixed(1)} of its expected standard deviations. A prior is wrong, or the model lacks something with the same effect.`,
    },
  };
}

/**
 * Finds given quantities that cause more than half of an unknown's variance, and so are worth measuring better.
 */
export const tolerance: Check<Subject, 'uncertainty'> = {
  kind: 'tolerance',
  rank: 240,
  isCritical: false,
  needs: ['uncertainty'],
  find: (subject) =>
    [...byTolerance(subject)].map(([given, of]) => ({
      unknowns: of.map(({ name }) => name),
      note: `Most of ${of.length > 1 ? 'these standard errors' : 'this standard error'} comes from the tolerance of ${given}: ${of.map(({ how }) => how).join(', ')}. A more exact value of ${given} makes ${of.length > 1 ? 'them' : 'it'} smaller.`,
    })),
};

/** For each given quantity that causes most of some standard errors, the unknowns that have these. */
function byTolerance({ unknowns, coordinates, uncertainty }: WithPresent<Subject, 'uncertainty'>) {
  const slopes = unknowns.derivatives(coordinates);
  const byGiven = new Map<string, { readonly name: string; readonly how: string }[]>();
  for (const { name, first, isArray, isGiven, unit } of unknowns.blocks) {
    const error = uncertainty.standardErrors[first];
    if (isArray || isGiven || !Number.isFinite(error)) continue;
    const most = largestShare({
      ...sharesOf(uncertainty, unknowns, coordinates, first, (block) => block.isGiven),
      ...clockShare(uncertainty, first, slopes[first]),
    });
    if (!most || most[1] ** 2 < NAMED_VARIANCE_SHARE * error ** 2) continue;
    const how = `${twoDigits(most[1])} of the ${twoDigits(error)}${unit ? ` ${unit}` : ''} of ${name}`;
    byGiven.set(most[0], [...(byGiven.get(most[0]) ?? []), { name, how }]);
  }
  return byGiven;
}

/** Finds unknowns about which the observations add little to priors, other than those of {@link tolerance}. */
export const mostlyPriors: Check<Subject, 'uncertainty'> = {
  kind: 'priors',
  rank: 230,
  isCritical: false,
  needs: ['uncertainty'],
  find: (subject) => {
    const { names, uncertainty } = subject;
    const named = new Set([...byTolerance(subject).values()].flat().map(({ name }) => name));
    const priors = names.filter((name, i) => uncertainty.determinedBy[i] === 'priors' && !named.has(name));
    return priors.length > 0 && { unknowns: priors, note: priorsNote(subject, priors) };
  },
};

/** Sentence that names the priors from which most of the standard errors of some unknowns come. */
function priorsNote(
  { unknowns, coordinates, uncertainty }: WithPresent<Subject, 'uncertainty'>,
  names: readonly string[],
): string {
  const byPrior = new Map<string, string[]>();
  for (const name of names) {
    const hasPrior = ({ prior }: { readonly prior?: unknown }): boolean => prior !== undefined;
    const most = largestShare(sharesOf(uncertainty, unknowns, coordinates, unknowns.names.indexOf(name), hasPrior));
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
