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
  return middle < count ? inOrder(left.subarray(0, count), middle) : Number.NaN;
}

/** The value that would be at an index if values were sorted, by quickselect: a sort takes five times as long. */
function inOrder(values: Float64Array, index: number): number {
  let [from, to] = [0, values.length - 1];
  while (from < to) {
    const pivot = values[index];
    let [low, high] = [from, to];
    while (low <= high) {
      while (values[low] < pivot) low++;
      while (values[high] > pivot) high--;
      if (low > high) break;
      const before = values[low];
      values[low++] = values[high];
      values[high--] = before;
    }
    if (high < index) from = low;
    if (low > index) to = high;
  }
  return values[index];
}
