import type { SecantEnds } from '../covariance/evidence.ts';
import type { LocalPosterior } from '../covariance/local-posterior.ts';
import { posteriorAt } from '../covariance/local-posterior.ts';
import { NORMAL_97_5_QUANTILE, withInterval } from '../covariance/uncertainty.ts';
import { descendByDerivatives } from '../descent/descend.ts';
import { evenlySpaced, FitsAtValues } from '../descent/golden-section.ts';
import type { Plan } from '../plan/plan.ts';
import type { End } from '../posterior/found.ts';
import type { ProfileByValues } from '../posterior/posterior.ts';
import type { Uncertainty } from '../posterior/uncertainty.ts';

/** Tolerance of each end of the interval, relative to its distance from the estimate. */
const END_TOLERANCE = 0.03;
/** Tolerance of each end of the interval, relative to the width of the unknown's range. */
const RANGE_TOLERANCE = 1e-6;
/** Maximum number of bisection steps for each end of the interval. */
const MAX_BISECTIONS = 40;
/** Relative difference up to which two rises of the loss above its minimum count as equal. */
const SAME_RISE = 0.05;

/** Interval of the unknown found by values alone, from the profile of the loss, in the optimiser's coordinate. */
interface ValueProfile {
  readonly low: number;
  readonly high: number;
  /** For the lower and the upper side: true if the loss does not rise enough before the end of the unknown's range. */
  readonly isOpen: readonly [boolean, boolean];
  /** Fits at values outside of the interval whose loss is no higher than at the interval's ends. */
  readonly rivals: readonly End[];
}

/**
 * Finds the 95 % interval of the unknown found by values alone, from the profile of the loss with the other unknowns
 * fitted at each value, and the standard errors of all unknowns. For these, its column of the Jacobian is a secant: the
 * difference of the residuals between the ends of the interval over the interval's length. So the standard errors of
 * the others include its uncertainty.
 */
export async function posteriorByValues(
  plan: Plan,
  end: End,
  probe: boolean,
): Promise<{ readonly local: LocalPosterior; readonly profile: ProfileByValues }> {
  const { unknowns, objective } = plan;
  const residuals = objective.residuals!;
  const k = unknowns.byValues!;
  const fits = new FitsAtValues({ ...plan, report: async () => {} }, descendByDerivatives);
  const sidesOf = ({ low, high }: ValueProfile): SecantEnds => [
    fits.pointWithValue(end.x, low),
    fits.pointWithValue(end.x, high),
  ];
  try {
    // Residuals counted as independent; their correlation is known only later.
    const [low, high] = unknowns.bounds()[k];
    const samples = await fits.fit(evenlySpaced(low, high).map((value) => fits.pointWithValue(end.x, value)));
    const first = (NORMAL_97_5_QUANTILE ** 2 * Math.max(end.loss, objective.exactLoss)) / residuals.values;
    let profile = await valueProfileOf(plan, fits, end, { rise: first, samples });
    let local = await posteriorAt(plan, end.x, probe, { secantEnds: sidesOf(profile) });
    const rise = local.uncertainty.rises[k] / residuals.weight;
    const isAnother = Number.isFinite(rise) && Math.abs(rise - first) > SAME_RISE * first;
    if (isAnother) {
      profile = await valueProfileOf(plan, fits, end, { rise, samples });
      local = await posteriorAt(plan, end.x, probe, { secantEnds: sidesOf(profile) });
    }
    const uncertainty = withProfile(plan, local.uncertainty, profile);
    return { local: { ...local, uncertainty }, profile: factsOf(plan, profile) };
  } finally {
    fits.dispose();
  }
}

/**
 * Finds the interval of the unknown found by values alone, by bisection on the profile of the loss.
 *
 * @param samples fits at known values of that unknown; new ones are appended.
 */
async function valueProfileOf(
  { unknowns, controls }: Plan,
  fits: FitsAtValues,
  end: End,
  { rise, samples }: { readonly rise: number; readonly samples: End[] },
): Promise<ValueProfile> {
  const k = unknowns.byValues!;
  const [low, high] = unknowns.bounds()[k];
  const target = end.loss + rise;
  const start = end.x[k];
  const ends = ([-1, 1] as const).map((side) => {
    const beyond = samples.filter(({ x }) => side * (x[k] - start) > 0).sort((a, b) => side * (a.x[k] - b.x[k]));
    const at = beyond.findIndex(({ loss }) => loss > target);
    const limit = side < 0 ? low : high;
    return {
      inner: at > 0 ? beyond[at - 1].x[k] : at < 0 ? limit : start,
      outer: at < 0 ? limit : beyond[at].x[k],
      isOpen: at < 0,
    };
  });
  const isFound = ({ inner, outer, isOpen }: (typeof ends)[number]): boolean =>
    isOpen ||
    Math.abs(outer - inner) <= Math.max(END_TOLERANCE * Math.abs(outer - start), RANGE_TOLERANCE * (high - low));
  for (let round = 0; round < MAX_BISECTIONS && !ends.every(isFound) && !controls.signal?.aborted; round++) {
    const left = ends.filter((one) => !isFound(one));
    const tried = await fits.fit(left.map(({ inner, outer }) => fits.pointWithValue(end.x, (inner + outer) / 2)));
    samples.push(...tried);
    left.forEach((one, i) => {
      if (tried[i].loss > target) one.outer = tried[i].x[k];
      else one.inner = tried[i].x[k];
    });
  }
  const [below, above] = ends;
  // A loss with steps may dip below the rise again right beside a point above it; farther away a dip is another
  // minimum.
  const width = above.outer - below.outer;
  const within = samples.filter(({ loss }) => loss <= target).map(({ x }) => x[k]);
  const near = within.filter((x) => x > below.outer - width && x < above.outer + width);
  const [first, last] = [Math.min(below.outer, ...near), Math.max(above.outer, ...near)];
  return {
    low: first,
    high: last,
    isOpen: [below.isOpen, above.isOpen],
    rivals: samples.filter(({ x, loss }) => loss <= target && (x[k] < first || x[k] > last)),
  };
}

/** Replaces the interval of the unknown found by values alone by the one from the profile. */
function withProfile({ unknowns }: Plan, uncertainty: Uncertainty, { low, high, isOpen }: ValueProfile): Uncertainty {
  const k = unknowns.byValues!;
  const isNowhere = isOpen[0] && isOpen[1];
  const { toValue } = unknowns.blocks.find(({ first }) => first === k)!.coordinate;
  const interval = isNowhere
    ? ([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const)
    : ([toValue(low), toValue(high)] as const);
  const by = isNowhere ? 'nothing' : isOpen[0] || isOpen[1] ? 'range' : 'observations';
  const deviation = isNowhere ? Number.POSITIVE_INFINITY : (high - low) / (2 * NORMAL_97_5_QUANTILE);
  return withInterval(uncertainty, k, interval, { deviation, determinedBy: by });
}

/** Facts about the profile for the verdict. */
function factsOf({ unknowns }: Plan, { isOpen, rivals }: ValueProfile): ProfileByValues {
  const [rival] = [...rivals].sort((a, b) => a.loss - b.loss);
  return { isOpen, otherMinimum: rival ? unknowns.values(rival.x)[unknowns.byValues!] : null };
}
