/** True if two arrays hold the same numbers bit for bit: -0 is not 0. */
export function sameBits(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, k) => Object.is(value, b[k]));
}
