import type { Finding } from '../problem/finding.ts';
import { listed } from '../problem/finding.ts';
import type { Case } from './case.ts';
import { toldFrom } from './numbers.ts';

/** Difference of twice the log-likelihood above which the data prefer one of two minima. */
const AS_GOOD = 9;
/** Distance of two minima along an unknown, in its standard errors, above which they count as different. */
const APART = 5;
/**
 * Decrease of the loss, relative to the remaining loss, above which noise cannot explain it, however residuals are
 * correlated.
 */
const MUCH_OF_LOSS = 0.1;
/** Expected share of further starts that reach unknown minima, 0 to 1, above which this is reported. */
const AS_LIKELY_AS_NOT = 0.5;

/** Makes a finding if another start reached a different minimum with nearly the same loss. */
export function minimaOf({ unknowns, ends, uncertainty, lossUnit }: Case): Finding[] {
  if (!uncertainty || lossUnit === null || ends.length < 2) return [];
  const [best, ...others] = ends;
  const values = unknowns.values(best.x);
  for (const other of others) {
    if (!((other.loss - best.loss) / lossUnit < AS_GOOD)) continue;
    const beside = unknowns.values(other.x);
    const apart = unknowns.names.filter((_, i) => {
      const error = uncertainty.standardErrors[i];
      return Number.isFinite(error) && Math.abs(beside[i] - values[i]) > APART * error;
    });
    if (apart.length === 0) continue;
    const at = apart.map((name) => `${name} ${beside[unknowns.names.indexOf(name)].toPrecision(4)}`);
    const note = `Another start reached a different minimum that fits as well: ${listed(at)}.`;
    return [{ kind: 'other minimum', isCritical: true, unknowns: apart, note }];
  }
  return [];
}

/**
 * Makes a finding if the loss is above the one that an earlier search reached from the same start (`search.reached`).
 */
export function aboveStart({ options, observed, objective, ends, lossUnit }: Case): Finding[] {
  const { reached } = options.search;
  if (reached === undefined || observed === null || lossUnit === null || objective.isExact(ends[0].loss)) return [];
  if (!(observed - reached > AS_GOOD * lossUnit)) return [];
  const note = `An earlier search from this start reached the loss ${toldFrom(reached, observed)}; this one only ${toldFrom(observed, reached)}. The two models differ, or rounding decides which minimum the search reaches.`;
  return [{ kind: 'other minimum', isCritical: true, note }];
}

/**
 * Makes a finding if restarts suggest minima that none of them reached. If N starts reached w minima, the expected
 * share of further starts that reach others is w (w + 1) / (N (N - 1)) (C. G. E. Boender and A. H. G. Rinnooy Kan,
 * Mathematical Programming 37, 1987).
 */
export function restartsOf({ restarts, lossUnit, ends, options }: Case): Finding[] {
  if (!restarts || lossUnit === null) return [];
  const { starts, lastGain } = restarts;
  if (lastGain !== null && lastGain > Math.min(AS_GOOD * lossUnit, MUCH_OF_LOSS * ends[0].loss)) {
    const note =
      'Every hop, the last one too, found a better minimum, so a still better one is likely. Allow more `hops`.';
    return [{ kind: 'other minimum', isCritical: true, note }];
  }
  // Hops without gain tell more about this minimum, and the best of a scan are no random draws.
  const { hops, scan, starts: asked } = options.search;
  if (hops > 0 || scan > asked) return [];
  const sorted = [...starts].sort((a, b) => a - b);
  const places = sorted.filter((loss, k) => k === 0 || loss - sorted[k - 1] > AS_GOOD * lossUnit).length;
  const unseen = (places * (places + 1)) / (starts.length * (starts.length - 1));
  const isAlone = starts.length > 2 && sorted[1] - sorted[0] > AS_GOOD * lossUnit;
  if (!isAlone || unseen < AS_LIKELY_AS_NOT) return [];
  const note = `Only one of ${starts.length} starts reached this minimum, and together they reached ${places} different ones: a better one that no start reached is likely. Allow more \`starts\`.`;
  return [{ kind: 'other minimum', isCritical: false, note }];
}
