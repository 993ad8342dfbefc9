import { PICTURES } from '../tuning/pictures.ts';
import type { Pictures } from './pictures.ts';

/** Luma coefficients of stored (non-linear) red, green and blue. Source: ITU-R BT.709. */
const LUMA = [0.2126, 0.7152, 0.0722];

/**
 * Converts residual light of a fit to errors of the values that a film stores: luma for each pixel, and colour for each
 * block of two by two pixels (4:2:0). Stored values are nonlinear in light, and colour is averaged as stored: residuals
 * in linear light would let strong colours reach beyond their rims, and made red balls in front of grey walls 0.3 to
 * 0.6 px too large. The errors are scaled back to light by the derivative at the pixel's luma. Where colour changes
 * from pixel to pixel, its errors count less.
 */
export interface LumaError {
  /**
   * Replaces residual light, the picture minus the prediction, three channels for each of the given pixels, by the errors, in place.
   */
  errors(residuals: Float64Array, pixels: readonly number[]): Float64Array;
  /**
   * Replaces residual light that differs little from that of the last call of `errors` by the change of the errors, to first order,
   * in place.
   */
  changes(residuals: Float64Array, pixels: readonly number[]): void;
}

export function lumaError({ light: seen, cut: { width, height } }: Pictures): LumaError {
  const stored = seen.map(toStored);
  const pixels = stored.length / 3;
  const lumas = new Float64Array(pixels);
  const lights = new Float64Array(pixels);
  /** Derivative of light by the stored value, at each pixel's luma. */
  const slopes = new Float64Array(pixels);
  for (let p = 0; p < pixels; p++) {
    const luma = lumaOf(stored[3 * p], stored[3 * p + 1], stored[3 * p + 2]);
    lumas[p] = luma;
    lights[p] = toLight(luma);
    slopes[p] = slopeOf(luma, lights[p]);
  }
  const trust = new Float64Array(pixels);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const p = row * width + column;
      const right = row * width + Math.min(column + 1, width - 1);
      const left = row * width + Math.max(column - 1, 0);
      const below = Math.min(row + 1, height - 1) * width + column;
      const above = Math.max(row - 1, 0) * width + column;
      let square = 0;
      for (let c = 0; c < 3; c++) {
        const across = stored[3 * right + c] - lumas[right] - stored[3 * left + c] + lumas[left];
        const down = stored[3 * below + c] - lumas[below] - stored[3 * above + c] + lumas[above];
        square += across * across + down * down;
      }
      const away = ((slopes[p] * PICTURES.chromaShift) / 2 / PICTURES.noise) ** 2;
      trust[p] = slopes[p] / Math.sqrt(1 + square * away);
    }
  /** Residual light of the last call. */
  const before = new Float64Array(seen.length);
  /** Derivatives of its predicted stored values by light, by channel, and of the light of its predicted luma, by pixel. */
  const storedSlopes = new Float64Array(seen.length);
  const lumaSlopes = new Float64Array(pixels);
  return {
    errors: (residuals, own) => {
      before.set(residuals.subarray(0, 3 * own.length));
      for (let k = 0, to = 0; k < own.length; k++, to += 3) {
        const p = own[k];
        const at = 3 * p;
        const [r, g, b] = [
          seen[at] - residuals[to],
          seen[at + 1] - residuals[to + 1],
          seen[at + 2] - residuals[to + 2],
        ];
        const [red, green, blue] = [toStored(r), toStored(g), toStored(b)];
        storedSlopes[to] = 1 / slopeOf(red, r);
        storedSlopes[to + 1] = 1 / slopeOf(green, g);
        storedSlopes[to + 2] = 1 / slopeOf(blue, b);
        const luma = lumaOf(red, green, blue);
        const predicted = toLight(luma);
        lumaSlopes[k] = slopeOf(luma, predicted);
        const light = lights[p] - predicted;
        const off = lumas[p] - luma;
        residuals[to] = light + trust[p] * (stored[at] - red - off);
        residuals[to + 1] = light + trust[p] * (stored[at + 1] - green - off);
        residuals[to + 2] = light + trust[p] * (stored[at + 2] - blue - off);
      }
      return residuals;
    },
    changes: (residuals, own) => {
      for (let k = 0, to = 0; k < own.length; k++, to += 3) {
        const red = (residuals[to] - before[to]) * storedSlopes[to];
        const green = (residuals[to + 1] - before[to + 1]) * storedSlopes[to + 1];
        const blue = (residuals[to + 2] - before[to + 2]) * storedSlopes[to + 2];
        const luma = lumaOf(red, green, blue);
        const light = luma * lumaSlopes[k];
        const share = trust[own[k]];
        residuals[to] = light + share * (red - luma);
        residuals[to + 1] = light + share * (green - luma);
        residuals[to + 2] = light + share * (blue - luma);
      }
    },
  };
}

const lumaOf = (red: number, green: number, blue: number): number => LUMA[0] * red + LUMA[1] * green + LUMA[2] * blue;

/**
 * Transfer function of sRGB (IEC 61966-2-1), extended linearly below 0; below it its inverse, and the inverse's
 * derivative by the stored value. The power 1 / 2.4 is computed from roots, x^(1/4) x^(1/6), and y^2.4 as y^2 exp(0.4
 * log y): `**` takes twice as long.
 */
function toStored(light: number): number {
  if (light <= 0.0031308) return 12.92 * light;
  const root = Math.sqrt(light);
  return 1.055 * Math.sqrt(root) * Math.cbrt(root) - 0.055;
}
function toLight(stored: number): number {
  if (stored <= 0.04045) return stored / 12.92;
  const base = (stored + 0.055) / 1.055;
  return base * base * Math.exp(0.4 * Math.log(base));
}
const slopeOf = (stored: number, light: number): number =>
  stored <= 0.04045 ? 1 / 12.92 : (2.4 * light) / (stored + 0.055);
