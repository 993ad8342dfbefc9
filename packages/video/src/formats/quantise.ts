/** Scales values in [0, 1] to integers of 8 or 16 bits and rounds them; values outside [0, 1] are clamped. */
export function quantise(values: Float32Array, depth: 8 | 16): Uint8Array | Uint16Array {
  if (depth === 8) {
    // This array type rounds and clamps by itself.
    const bytes = new Uint8ClampedArray(values.length);
    for (let i = 0; i < values.length; i++) bytes[i] = 255 * values[i];
    return new Uint8Array(bytes.buffer);
  }
  const whole = new Uint16Array(values.length);
  for (let i = 0; i < values.length; i++) whole[i] = Math.round(Math.min(Math.max(values[i], 0), 1) * 65535);
  return whole;
}
