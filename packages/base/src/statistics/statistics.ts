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

/**
 * Upper median: the middle value, or the larger of the two middle ones if their number is even; NaN counts as larger than
 * any number. NaN for no values.
 */
export function upperMedian(values: ArrayLike<number>): number {
  const left = new Float64Array(values.length);
  let count = 0;
  for (let k = 0; k < values.length; k++) if (!Number.isNaN(values[k])) left[count++] = values[k];
  const middle = values.length >> 1;
  if (middle >= count) return Number.NaN;
  selectSmallest(left.subarray(0, count), middle);
  return left[middle];
}

/**
 * Partially sorts values in place, so that `values[place]` is what it would be after sorting, and no value before it is
 * larger (quickselect, C. A. R. Hoare, 1961); a sort takes five times as long. No value is NaN.
 */
export function selectSmallest(values: Float32Array | Float64Array, place: number): void {
  let [left, right] = [0, values.length - 1];
  while (left < right) {
    const pivot = values[place];
    let [i, j] = [left, right];
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (pivot < values[j]) j--;
      if (i > j) break;
      const value = values[i];
      values[i++] = values[j];
      values[j--] = value;
    }
    if (j < place) left = i;
    if (place < i) right = j;
  }
}
