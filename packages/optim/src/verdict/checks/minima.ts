import type { Check, Remark } from '../../posterior/check.ts';
import type { BetterPoint } from '../../posterior/posterior.ts';
import { formatDistinctFrom, listed } from '../../posterior/sentences.ts';
import type { Subject } from '../subject.ts';

/** Difference of twice the log-likelihood above which the data prefer one of two minima. */
const AS_GOOD = 9;
/** Distance of two minima along an unknown, in its standard errors, above which they count as different. */
const MIN_DISTANCE = 5;
/**
 * Decrease of the loss, relative to the remaining loss, above which noise cannot explain it, however residuals are
 * correlated.
 */
const MUCH_OF_LOSS = 0.1;
/** Expected share of further starts that reach unknown minima, 0 to 1, above which this is reported. */
const AS_LIKELY_AS_NOT = 0.5;

const OTHER_MINIMUM = { kind: 'other minimum', rank: 170, isCritical: true } as const;

/** Finds another value of the unknown found by values alone that fits as well. */
export const rivalValue: Check<Subject, 'profileByValues'> = {
  ...OTHER_MINIMUM,
  needs: ['profileByValues'],
  find: ({ unknowns, profileByValues: { otherMinimum } }) => {
    if (otherMinimum === null) return null;
    const name = unknowns.names[unknowns.byValues!];
    return {
      unknowns: [name],
      note: `Another value of ${name}, outside its interval, fits as well: ${otherMinimum.toPrecision(4)}.`,
    };
  },
};

/** Finds a better point on the profile of an interval that was checked. */
export const betterThanChecked: Check<Subject, 'better'> = {
  ...OTHER_MINIMUM,
  needs: ['better'],
  find: ({ unknowns, better }) => betterPoint(unknowns, better),
};

/** Finds a better point on a profile that was asked for. */
export const betterThanProfile: Check<Subject, 'uncertainty' | 'otherIntervals'> = {
  ...OTHER_MINIMUM,
  needs: ['uncertainty', 'otherIntervals'],
  find: ({ unknowns, otherIntervals: { better } }) => better && betterPoint(unknowns, better),
};

function betterPoint(unknowns: Subject['unknowns'], { values, unknown }: BetterPoint): Remark {
  const all = unknowns.parameters(values);
  const at = Object.keys(all).map((name) => `${name} ${all[name].toPrecision(4)}`);
  const along = unknowns.names[unknown];
  const note = `A point on the profile of ${along} fits better than the estimate: ${listed(at)}. Start there.`;
  return { unknowns: [along], note };
}

/** Finds another start that reached a different minimum with nearly the same loss. */
export const asGood: Check<Subject, 'search' | 'uncertainty' | 'lossUnit'> = {
  ...OTHER_MINIMUM,
  needs: ['search', 'uncertainty', 'lossUnit'],
  find: ({ unknowns, search, uncertainty, lossUnit }) => {
    const [best, ...others] = search.ends;
    const values = unknowns.values(best.x);
    for (const other of others) {
      if (!((other.loss - best.loss) / lossUnit < AS_GOOD)) continue;
      const beside = unknowns.values(other.x);
      const apart = unknowns.names.filter((_, i) => {
        const error = uncertainty.standardErrors[i];
        return Number.isFinite(error) && Math.abs(beside[i] - values[i]) > MIN_DISTANCE * error;
      });
      if (apart.length === 0) continue;
      const at = apart.map((name) => `${name} ${beside[unknowns.names.indexOf(name)].toPrecision(4)}`);
      return { unknowns: apart, note: `Another start reached a different minimum that fits as well: ${listed(at)}.` };
    }
    return null;
  },
};

/** Finds a loss above the one that an earlier search reached from the same start. */
export const aboveEarlier: Check<Subject, 'search' | 'meanSquare' | 'lossUnit'> = {
  ...OTHER_MINIMUM,
  needs: ['search', 'meanSquare', 'lossUnit'],
  find: ({ search, meanSquare, lossUnit, isExact }) => {
    const { reachedMeanSquare } = search;
    if (reachedMeanSquare === undefined || isExact || !(meanSquare - reachedMeanSquare > AS_GOOD * lossUnit)) return [];
    const note = `An earlier search from this start reached the loss ${formatDistinctFrom(reachedMeanSquare, meanSquare)}; this one only ${formatDistinctFrom(meanSquare, reachedMeanSquare)}. The two models differ, or rounding decides which minimum the search reaches.`;
    return { note };
  },
};

/** Finds that the last hop still gained. */
export const hopsGain: Check<Subject, 'search' | 'lossUnit'> = {
  ...OTHER_MINIMUM,
  needs: ['search', 'lossUnit'],
  find: (subject) =>
    stillGains(subject) && {
      note: 'Every hop, the last one too, found a better minimum, so a still better one is likely. Allow more `hops`.',
    },
};

const stillGains = ({ search, loss, lossUnit, isExact }: Subject): boolean => {
  const lastGain = (!isExact && search?.restarts?.lastGain) || 0;
  return lastGain > Math.min(AS_GOOD * lossUnit!, MUCH_OF_LOSS * loss);
};

/**
 * Finds that restarts suggest minima that none of them reached. If N starts reached w minima, the expected share of
 * further starts that reach others is w (w + 1) / (N (N - 1)) (C. G. E. Boender and A. H. G. Rinnooy Kan, Mathematical
 * Programming 37, 1987).
 */
export const reachedAlone: Check<Subject, 'search' | 'lossUnit'> = {
  ...OTHER_MINIMUM,
  isCritical: false,
  needs: ['search', 'lossUnit'],
  find: (subject) => {
    const { search, lossUnit, isExact } = subject;
    if (isExact || !search.restarts || stillGains(subject)) return [];
    const { starts } = search.restarts;
    // Hops without gain tell more about this minimum, and the best of a scan are no random draws.
    const { hops, scan, starts: asked } = search.options;
    if (hops > 0 || scan > asked) return [];
    const sorted = [...starts].sort((a, b) => a - b);
    const places = sorted.filter((loss, k) => k === 0 || loss - sorted[k - 1] > AS_GOOD * lossUnit).length;
    const unseen = (places * (places + 1)) / (starts.length * (starts.length - 1));
    const isAlone = starts.length > 2 && sorted[1] - sorted[0] > AS_GOOD * lossUnit;
    if (!isAlone || unseen < AS_LIKELY_AS_NOT) return [];
    const note = `Only one of ${starts.length} starts reached this minimum, and together they reached ${places} different ones: a better one that no start reached is likely. Allow more \`starts\`.`;
    return { note };
  },
};
