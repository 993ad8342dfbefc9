import { PICTURES } from '../tuning/pictures.ts';
import { coveredBy, type PartSeen } from './parts.ts';
import type { CropRegion, Pictures } from './pictures.ts';

/** Attenuation of the background's light by shadows in each pixel, as a fraction of it that is left, were nothing in front of it. */
export function shadesIn({ light, backgroundLight, cut }: Pictures): Float64Array {
  const { darkest, brightest, colour } = PICTURES.shadow;
  const shades = new Float64Array(cut.width * cut.height);
  for (let p = 0; p < shades.length; p++) {
    let along = 0;
    let own = 0;
    let square = 0;
    for (let c = 3 * p; c < 3 * p + 3; c++) {
      const s = light[c];
      const b = backgroundLight[c];
      along += s * b;
      own += b * b;
      square += s * s;
    }
    const part = along / Math.max(own, 1e-6);
    const aside = Math.sqrt(Math.max(square - part * along, 0));
    shades[p] = aside < colour ? Math.min(Math.max(part, darkest), brightest) : 1;
  }
  return shades;
}

/**
 * Light of the background behind a thing, three channels per pixel, including its shadows: their attenuation is measured in the
 * pixels beside the thing, and extrapolated to those behind its rim.
 *
 * @param shades of all pixels, by {@link shadesIn}.
 * @param soft width over which the rim is drawn, px.
 */
export function withShadows(
  { backgroundLight, cut }: Pictures,
  shades: Float64Array,
  parts: readonly PartSeen[],
  soft: number,
): Float64Array {
  const pixels = cut.width * cut.height;
  const cover = coveredBy(parts, new Float64Array(pixels));
  // 0 where the thing covers the pixel, so that it is not known yet.
  const shade = shades.slice();
  for (let p = 0; p < pixels; p++) if (cover[p] > 0) shade[p] = 0;
  // An unknown pixel takes the mean of its known neighbours, ring by ring.
  let ring: number[] = [];
  for (let p = 0; p < pixels; p++) if (shade[p] === 0 && meanAround(shade, cut, p) > 0) ring.push(p);
  const isNext = new Uint8Array(pixels);
  for (let count = 0; count < PICTURES.shadowInwards + soft && ring.length > 0; count++) {
    const means = ring.map((p) => meanAround(shade, cut, p));
    ring.forEach((p, k) => {
      shade[p] = means[k];
    });
    const next: number[] = [];
    for (const p of ring)
      forEachAround(cut, p, (beside) => {
        if (shade[beside] > 0 || isNext[beside]) return;
        isNext[beside] = 1;
        next.push(beside);
      });
    ring = next;
  }
  const shaded = backgroundLight.slice();
  for (let p = 0; p < pixels; p++) {
    if (!shade[p]) continue;
    for (let c = 3 * p; c < 3 * p + 3; c++) shaded[c] *= shade[p];
  }
  return shaded;
}

/** Mean attenuation of the pixels around one for which it is known; 0 if there are none. */
function meanAround(shade: Float64Array, cut: CropRegion, p: number): number {
  let sum = 0;
  let count = 0;
  forEachAround(cut, p, (beside) => {
    if (shade[beside] === 0) return;
    sum += shade[beside];
    count++;
  });
  return count > 0 ? sum / count : 0;
}

/** Calls a function for a pixel and those around it. */
function forEachAround({ width, height }: CropRegion, p: number, call: (pixel: number) => void): void {
  const x = p % width;
  const y = Math.floor(p / width);
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) call(row * width + column);
}
