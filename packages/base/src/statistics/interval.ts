/** 95 % interval of a value; an end that JSON holds as null is infinite. */
export type Interval = readonly [low: number | null, high: number | null];

/** Ratio of the two parts of an interval above which one standard error does not describe it. */
const MAX_SYMMETRIC_RATIO = 1.5;
/** Standard errors to either side of a 95 % interval. */
const NORMAL_97_5_QUANTILE = 1.96;

/**
 * Both ends of a 95 % interval that reaches much further to one side of the estimate than to the other, as that of a
 * value found on a log scale with a large error does; null of others, and where an end is infinite.
 */
export function asymmetricEnds(
  estimate: number,
  interval: Interval | null | undefined,
): readonly [number, number] | null {
  const [low, high] = interval ?? [null, null];
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return null;
  const [below, above] = [estimate - low, high - estimate];
  return Math.max(below, above) > MAX_SYMMETRIC_RATIO * Math.min(below, above) ? [low, high] : null;
}

/**
 * Number of standard errors by which an estimate is above the truth; null without a standard error. Of a lopsided
 * interval the part on the side of the truth counts, as 1.96 of them.
 */
export function standardErrorsOff(
  { estimate, standardError, interval }: { estimate: number; standardError: number | null; interval?: Interval | null },
  truth: number,
): number | null {
  if (!standardError || !Number.isFinite(standardError)) return null;
  const ends = asymmetricEnds(estimate, interval);
  const error = ends
    ? Math.abs((truth < estimate ? ends[0] : ends[1]) - estimate) / NORMAL_97_5_QUANTILE
    : standardError;
  return (estimate - truth) / error;
}
