/** Limits of coordinates. */
export interface Limits {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** A point with its coordinates clamped to their limits. */
export const clamped = (x: Float64Array, { low, high }: Limits): Float64Array =>
  x.map((value, k) => Math.min(Math.max(value, low[k]), high[k]));

/** A gradient without components that would leave the limits: nothing can be gained there. */
export const within = (gradient: Float64Array, x: ArrayLike<number>, { low, high }: Limits): Float64Array =>
  gradient.map((g, k) => ((g > 0 && x[k] <= low[k]) || (g < 0 && x[k] >= high[k]) ? 0 : g));
