import { PICTURES } from '../tuning/pictures.ts';
import { coveredBy, type PartSeen } from './parts.ts';
import type { CropRegion, Pictures } from './pictures.ts';

/** Background of a thing, including its shadows. */
export interface Shaded {
  /** Linear light, three channels per pixel. */
  readonly backgroundLight: Float64Array;
  /** Indices of the pixels that the thing covers, partly or wholly. */
  readonly covered: readonly number[];
}

/**
 * Adds shadows to the background: their attenuation is measured in the pixels beside the thing, and extrapolated to
 * those behind its rim.
 *
 * @param soft width over which the rim is drawn, px.
 */
export function withShadows(
  { light, backgroundLight, cut }: Pictures,
  parts: readonly PartSeen[],
  soft: number,
): Shaded {
  const { darkest, brightest, colour } = PICTURES.shadow;
  const pixels = cut.width * cut.height;
  const cover = coveredBy(parts, new Float64Array(pixels));
  // Fraction of the light that is left; 0 where the thing covers the pixel, so that it is not known yet.
  const shade = new Float64Array(pixels);
  const covered: number[] = [];
  let unknown: number[] = [];
  for (let p = 0; p < pixels; p++) {
    if (cover[p] > 0) {
      covered.push(p);
      unknown.push(p);
      continue;
    }
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
    shade[p] = aside < colour ? Math.min(Math.max(part, darkest), brightest) : 1;
    if (!(shade[p] > 0)) unknown.push(p);
  }
  // An unknown pixel takes the mean of its known neighbours, ring by ring.
  for (let ring = 0; ring < PICTURES.shadowInwards + soft && unknown.length > 0; ring++) {
    const found = unknown.map((p) => meanAround(shade, cut, p));
    unknown.forEach((p, k) => {
      if (found[k] !== null) shade[p] = found[k];
    });
    unknown = unknown.filter((p) => !(shade[p] > 0));
  }
  const shaded = backgroundLight.slice();
  for (let p = 0; p < pixels; p++) {
    if (!shade[p]) continue;
    for (let c = 3 * p; c < 3 * p + 3; c++) shaded[c] *= shade[p];
  }
  return { backgroundLight: shaded, covered };
}

/** Mean attenuation of the pixels around one for which it is known; null if there are none. */
function meanAround(shade: Float64Array, { width, height }: CropRegion, p: number): number | null {
  const x = p % width;
  const y = Math.floor(p / width);
  let sum = 0;
  let count = 0;
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
      const part = shade[row * width + column];
      if (part === 0) continue;
      sum += part;
      count++;
    }
  return count > 0 ? sum / count : null;
}
