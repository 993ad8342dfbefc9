import { BEAM } from '../../tuning/beam.ts';
import type { CropRegion, Pictures } from '../pictures.ts';
import type { BentBeam } from './beam.ts';

/**
 * Linear light that a beam adds to a picture, and the fraction of the background that it hides, for each pixel of a
 * cut.
 */
export interface Layer {
  readonly cut: CropRegion;
  readonly light: Float64Array;
  readonly cover: Float64Array;
}

/** Layer of the straight beam, from the difference between a picture and its background. */
export function layerOf({ light: seen, backgroundLight, cut }: Pictures, beam: BentBeam): Layer {
  const rims = beam.rims(cut);
  const cover = new Float64Array(cut.width * cut.height);
  const light = new Float64Array(seen.length);
  for (let row = 0; row < cut.height; row++)
    for (let column = 0; column < cut.width; column++) {
      const [above, below] = rims[column] ?? [0, -1];
      const p = row * cut.width + column;
      cover[p] = Math.min(Math.max(Math.min(row + 0.5 - above, below - row - 0.5) + 0.5, 0), 1);
      for (let c = 0; c < 3; c++) light[3 * p + c] = seen[3 * p + c] - (1 - cover[p]) * backgroundLight[3 * p + c];
    }
  return { cut, light, cover };
}

/** A layer blurred by a vertical motion of each column, px. */
export function blurred({ cut, light, cover }: Layer, displacements: readonly number[]): Layer {
  const { width, height } = cut;
  const out = { cut, light: light.slice(), cover: cover.slice() };
  displacements.forEach((way, column) => {
    const length = Math.abs(way);
    if (length < BEAM.sharp) return;
    const reach = Math.ceil(length / 2) + 2;
    const kernel = new Float64Array(2 * reach + 1);
    const taps = Math.max(4, Math.ceil(4 * length));
    for (let tap = 0; tap < taps; tap++) {
      const at = length * ((tap + 0.5) / taps - 0.5);
      const first = Math.floor(at);
      cubic(at - first).forEach((weight, k) => {
        kernel[reach + first - 1 + k] += weight / taps;
      });
    }
    for (let row = 0; row < height; row++) {
      let [red, green, blue, covered] = [0, 0, 0, 0];
      for (let k = -reach; k <= reach; k++) {
        const weight = kernel[reach + k];
        if (weight === 0) continue;
        const p = Math.min(Math.max(row + k, 0), height - 1) * width + column;
        red += weight * light[3 * p];
        green += weight * light[3 * p + 1];
        blue += weight * light[3 * p + 2];
        covered += weight * cover[p];
      }
      const p = row * width + column;
      out.light.set([red, green, blue], 3 * p);
      out.cover[p] = covered;
    }
  });
  return out;
}

/** Light and hidden fraction of a layer at a point: interpolated linearly between columns, cubically between rows. */
export function sampleLayer({ light, cover, cut }: Layer, x: number, y: number, into: Float64Array): void {
  const { width, height } = cut;
  into.fill(0);
  const column = Math.min(Math.max(Math.floor(x), 0), width - 2);
  const row = Math.floor(y);
  const u = Math.min(Math.max(x - column, 0), 1);
  const weights = cubic(y - row);
  for (let k = 0; k < 4; k++) {
    const from = Math.min(Math.max(row - 1 + k, 0), height - 1) * width + column;
    const [left, right] = [weights[k] * (1 - u), weights[k] * u];
    for (let c = 0; c < 3; c++) into[c] += left * light[3 * from + c] + right * light[3 * from + 3 + c];
    into[3] += left * cover[from] + right * cover[from + 1];
  }
}

/**
 * Weights of four rows for cubic interpolation at a fraction of the way from the second row to the third (E. Catmull
 * and R. Rom, 1974).
 */
const cubic = (v: number): readonly [number, number, number, number] => [
  v * (-0.5 + v * (1 - 0.5 * v)),
  1 + v * v * (-2.5 + 1.5 * v),
  v * (0.5 + v * (2 - 1.5 * v)),
  v * v * (-0.5 + 0.5 * v),
];
