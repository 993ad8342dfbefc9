/** Rounds values to whole numbers of 8 or 16 bits; what lies outside [0, 1] is clipped. */
export function quantise(values: Float32Array, depth: 8 | 16): Uint8Array | Uint16Array {
  const largest = 2 ** depth - 1;
  const whole = depth === 8 ? new Uint8Array(values.length) : new Uint16Array(values.length);
  for (let i = 0; i < values.length; i++) {
    whole[i] = Math.round(Math.min(Math.max(values[i], 0), 1) * largest);
  }
  return whole;
}
