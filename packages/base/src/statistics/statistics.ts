export function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let k = 0; k < values.length; k++) total += values[k];
  return total;
}

/** Arithmetic mean; NaN for no values. */
export const mean = (values: ArrayLike<number>): number => sum(values) / values.length;

export function sumOfSquares(values: ArrayLike<number>): number {
  let total = 0;
  for (let k = 0; k < values.length; k++) total += values[k] * values[k];
  return total;
}

/** Inner product of two lists of the same length. */
export function sumOfProducts(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let total = 0;
  for (let k = 0; k < a.length; k++) total += a[k] * b[k];
  return total;
}

const sorted = (values: ArrayLike<number>): Float64Array => Float64Array.from(values).sort();

/** Median; of an even number of values the mean of the two in the middle. NaN for no values. */
export function median(values: ArrayLike<number>): number {
  const all = sorted(values);
  const middle = all.length >> 1;
  if (all.length === 0) return Number.NaN;
  return all.length % 2 ? all[middle] : (all[middle - 1] + all[middle]) / 2;
}

/** Upper median: the middle value, or the larger of the two middle ones if their number is even. NaN for no values. */
export const upperMedian = (values: ArrayLike<number>): number => sorted(values)[values.length >> 1] ?? Number.NaN;
