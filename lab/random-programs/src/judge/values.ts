/** Arrays of numbers by field key. */
export type Values = ReadonlyMap<string, Float64Array>;

/**
 * Magnitude of derivatives below which they count as 0 in comparisons: values are of order 1, and their rounding hides
 * smaller derivatives.
 */
export const VISIBLE = 1e-4;

/** Returns the values of one world from an array [moment][world][...]. */
export function ofWorld(all: Float64Array, world: number, worlds: number, moments: number): Float64Array {
  const words = all.length / worlds / Math.max(1, moments);
  const own = new Float64Array(moments * words);
  for (let m = 0; m < moments; m++)
    own.set(all.subarray((m * worlds + world) * words, (m * worlds + world + 1) * words), m * words);
  return own;
}

/** Scalar product of two sets of values, over all keys. */
export function dot(a: Values, b: Values): number {
  let sum = 0;
  for (const [key, values] of a) {
    const others = b.get(key)!;
    for (let k = 0; k < values.length; k++) sum += values[k] * others[k];
  }
  return sum;
}
export const length = (a: Values): number => Math.sqrt(dot(a, a));

/** The largest |a - b| over all keys, divided by the largest |b|, or by `visible` if that is larger. */
export function distance(a: Values, b: Values, visible = VISIBLE): number {
  let [difference, size] = [0, visible];
  for (const [key, values] of b) {
    const others = a.get(key)!;
    for (let k = 0; k < values.length; k++) {
      difference = Math.max(difference, Math.abs(values[k] - others[k]));
      size = Math.max(size, Math.abs(values[k]));
    }
  }
  return difference / size;
}
