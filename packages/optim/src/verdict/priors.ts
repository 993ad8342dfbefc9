import { largestShare, sharesOf } from '../covariance/prior-shares.ts';
import { FALSE_ALARMS } from '../noise/significance.ts';
import { priorsOff } from '../objective/priors.ts';
import type { Finding } from '../problem/finding.ts';
import { MAX_NAMED } from '../problem/finding.ts';
import type { Block } from '../unknowns/block.ts';
import type { Case } from './case.ts';
import { clockShare } from './clock.ts';
import { jointShift } from './joint-shift.ts';
import { short, toldFrom } from './numbers.ts';

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

/** Makes findings if observations contradict priors: one of these is wrong, or the model is. */
export function againstPriors(given: Case): Finding[] {
  const { unknowns, ends } = given;
  const values = unknowns.numbers(unknowns.values(ends[0].x));
  const against = priorsOff(unknowns, ends[0].x).filter(({ off }) => Math.abs(off) > AGAINST_PRIOR);
  if (against.length === 0) return movedTogether(given);
  const givens = new Map(unknowns.blocks.flatMap((block) => (block.isGiven ? [[block.name, block]] : [])));
  return against.map(({ name, off }): Finding => {
    const given = givens.get(name);
    if (given) return againstGiven(given, values[name], off);
    return {
      kind: 'against priors',
      isCritical: true,
      unknowns: [name],
      note: `The estimate of ${name} is ${Math.abs(off).toFixed(0)} standard deviations of its prior ${off > 0 ? 'above' : 'below'} the prior's mean: the prior or the model is wrong.`,
    };
  });
}

/**
 * Makes a finding if several unknowns deviate from their priors by amounts that are each plausible, but not together.
 */
function movedTogether({ unknowns, ends, uncertainty }: Case): Finding[] {
  const joint = uncertainty && jointShift(unknowns, ends[0].x, uncertainty);
  if (!joint || (joint.chance > FALSE_ALARMS.priors && joint.largest < AGAINST_PRIOR)) return [];
  const named = joint.shifts.filter(({ off }, k) => k === 0 || Math.abs(off) > SOME_SHIFT).slice(0, MAX_NAMED);
  const isGiven = (name: string): boolean => unknowns.blocks.some((block) => block.name === name && block.isGiven);
  const each = named.map(({ name, off }) => `${name} by ${off > 0 ? '+' : '-'}${Math.abs(off).toFixed(1)}`);
  return [
    {
      kind: named.some(({ name }) => isGiven(name)) ? 'against given' : 'against priors',
      isCritical: true,
      unknowns: named.map(({ name }) => name).filter((name) => !isGiven(name)),
      note: `The observations shift several quantities from their priors at once, in standard deviations of the priors: ${each.join(', ')}. If the model and the priors are right, such shifts have a probability of ${short(joint.chance)}, and the largest is ${joint.largest.toFixed(1)} of its expected standard deviations. A prior is wrong, or the model lacks something with the same effect.`,
    },
  ];
}

/** Makes the finding that the observations contradict the measured value of a given quantity. */
function againstGiven({ name, prior, unit }: Block, seen: number, off: number): Finding {
  const { mean, standardDeviation } = prior!;
  const of = unit ? ` ${unit}` : '';
  return {
    kind: 'against given',
    isCritical: true,
    note: `${name} was given as ${toldFrom(mean[0], seen)} ± ${short(standardDeviation)}${of}, but the observations indicate ${toldFrom(seen, mean[0])}${of}, ${Math.abs(off).toFixed(0)} tolerances away. Measure it again; otherwise the model lacks something with the same effect.`,
  };
}

/**
 * Makes findings about given quantities that cause more than half of an unknown's variance, and so are worth measuring
 * better.
 */
export function tolerancesOf({ unknowns, ends, uncertainty }: Case): Finding[] {
  if (!uncertainty) return [];
  const slopes = unknowns.derivatives(ends[0].x);
  const byGiven = new Map<string, { readonly name: string; readonly how: string }[]>();
  for (const { name, first, isArray, isGiven, unit } of unknowns.blocks) {
    const error = uncertainty.standardErrors[first];
    if (isArray || isGiven || !Number.isFinite(error)) continue;
    const most = largestShare({
      ...sharesOf(uncertainty, unknowns, ends[0].x, first, (block) => block.isGiven),
      ...clockShare(uncertainty, first, slopes[first]),
    });
    if (!most || most[1] ** 2 < NAMED_VARIANCE_SHARE * error ** 2) continue;
    const how = `${short(most[1])} of the ${short(error)}${unit ? ` ${unit}` : ''} of ${name}`;
    byGiven.set(most[0], [...(byGiven.get(most[0]) ?? []), { name, how }]);
  }
  return [...byGiven].map(
    ([given, of]): Finding => ({
      kind: 'tolerance',
      isCritical: false,
      unknowns: of.map(({ name }) => name),
      note: `Most of ${of.length > 1 ? 'these standard errors' : 'this standard error'} comes from the tolerance of ${given}: ${of.map(({ how }) => how).join(', ')}. A more exact value of ${given} makes ${of.length > 1 ? 'them' : 'it'} smaller.`,
    }),
  );
}
