import { luminance } from '../frames/color.ts';

/**
 * Converts a picture with values in [0, 1] to the planes of I420: BT.709, limited range (16 to 235), chroma samples at
 * even columns and halfway between two rows, as {@link toRgba} expects. Width and height are even.
 */
export function toI420(values: Float32Array, width: number, height: number, channels: number): Uint8Array {
  const pixels = width * height;
  const bytes = new Uint8Array(pixels * 1.5);
  const { u, v } = lumaAndChroma(values, channels, bytes);
  subsample(u, width, height, bytes.subarray(pixels, pixels * 1.25));
  subsample(v, width, height, bytes.subarray(pixels * 1.25));
  return bytes;
}

/** Converts a picture with values in [0, 1] to the planes of I444, with a chroma sample for every pixel. */
export function toI444(values: Float32Array, width: number, height: number, channels: number): Uint8Array {
  const pixels = width * height;
  const bytes = new Uint8Array(pixels * 3);
  const { u, v } = lumaAndChroma(values, channels, bytes);
  u.forEach((value, p) => {
    bytes[pixels + p] = Math.round(128 + 224 * value);
    bytes[2 * pixels + p] = Math.round(128 + 224 * v[p]);
  });
  return bytes;
}

/** Writes the luma of every pixel as bytes, and returns the chroma (U, V) of every pixel, in [-1/2, 1/2]. */
function lumaAndChroma(values: Float32Array, channels: number, luma: Uint8Array): { u: Float32Array; v: Float32Array } {
  const pixels = values.length / channels;
  const u = new Float32Array(pixels);
  const v = new Float32Array(pixels);
  const [kr, kg, kb] = luminance;
  for (let p = 0; p < pixels; p++) {
    const r = unit(values[p * channels]);
    const g = channels === 1 ? r : unit(values[p * channels + 1]);
    const b = channels === 1 ? r : unit(values[p * channels + 2]);
    const y = kr * r + kg * g + kb * b;
    luma[p] = Math.round(16 + 219 * y);
    u[p] = (b - y) / (2 * (1 - kb));
    v[p] = (r - y) / (2 * (1 - kr));
  }
  return { u, v };
}

/**
 * Downsamples chroma by two along both axes: weights 1, 2, 1 over columns, centred on even columns, and the mean of two
 * rows.
 */
function subsample(plane: Float32Array, width: number, height: number, into: Uint8Array): void {
  const half = width / 2;
  for (let y = 0; y < height / 2; y++) {
    for (let x = 0; x < half; x++) {
      const left = Math.max(2 * x - 1, 0);
      let sum = 0;
      for (const row of [2 * y * width, (2 * y + 1) * width]) {
        sum += plane[row + left] + 2 * plane[row + 2 * x] + plane[row + 2 * x + 1];
      }
      into[y * half + x] = Math.round(128 + (224 * sum) / 8);
    }
  }
}

function unit(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}
