import type { Camera } from '../camera.ts';
import type { Random } from '../random.ts';
import type { Look } from '../shot.ts';

/**
 * Converts linear light, rows from the bottom, to 8-bit RGB, rows from the top: applies sensor noise, gain, tone curve
 * and sRGB encoding.
 */
export function develop(
  light: Float32Array,
  { width, height }: Camera,
  { gain, readNoise, shotNoise }: Look,
  random: Random,
): Uint8Array {
  const rgb = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = 4 * ((height - 1 - y) * width + x);
      const to = 3 * (y * width + x);
      for (let c = 0; c < 3; c++) {
        const signal = light[from + c];
        const noise = Math.sqrt(readNoise * readNoise + shotNoise * Math.max(signal, 0)) * random.normal();
        rgb[to + c] = Math.round(255 * encoded(compressHighlights(gain[c] * (signal + noise))));
      }
    }
  }
  return rgb;
}

/** Tone curve: linear up to half of full light, above that bent to approach 1 asymptotically. */
function compressHighlights(light: number): number {
  if (light < 0.5) return Math.max(light, 0);
  const over = light - 0.5;
  return 0.5 + (0.5 * over) / (0.5 + over);
}

/** Encodes linear light as sRGB (IEC 61966-2-1). */
const encoded = (light: number): number => (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);
