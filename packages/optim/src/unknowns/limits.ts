/** Lower and upper limits of coordinates; infinite for none. */
export interface Limits {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** A point with its coordinates clamped to their limits. */
export const clamped = (x: Float64Array, { low, high }: Limits): Float64Array =>
  x.map((value, k) => Math.min(Math.max(value, low[k]), high[k]));

/** Copy of a gradient with zeros for coordinates that are at a limit and would cross it in a descent. */
export const zeroedAtLimits = (gradient: Float64Array, x: ArrayLike<number>, { low, high }: Limits): Float64Array =>
  gradient.map((g, k) => ((g > 0 && x[k] <= low[k]) || (g < 0 && x[k] >= high[k]) ? 0 : g));
