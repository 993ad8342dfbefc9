import { BEAM } from '../../tuning/beam.ts';
import type { Pictures } from '../pictures.ts';
import type { BentBeam } from './beam.ts';

/**
 * Linear light that a beam adds to a picture, and the fraction of the background that it hides, for each pixel of the
 * straight beam's region.
 */
export interface Layer {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and hidden fraction of each pixel, column by column: a beam's pixels move along columns. */
  readonly values: Float32Array;
  /** Rows of the beam's upper and lower rim in each column; undefined in columns without the beam. */
  readonly rims: ReturnType<BentBeam['rims']>;
}

/** Layer of the straight beam, from the difference between a picture and its background. */
export function layerOf({ light, backgroundLight, cut: { width, height } }: Pictures, beam: BentBeam): Layer {
  const values = new Float32Array(4 * width * height);
  const rims = beam.rims();
  for (let column = 0; column < width; column++) {
    const [above, below] = rims[column] ?? [0, -1];
    for (let row = 0; row < height; row++) {
      const at = 4 * (column * height + row);
      const from = 3 * (row * width + column);
      const cover = Math.min(Math.max(Math.min(row + 0.5 - above, below - row - 0.5) + 0.5, 0), 1);
      for (let c = 0; c < 3; c++) values[at + c] = light[from + c] - (1 - cover) * backgroundLight[from + c];
      values[at + 3] = cover;
    }
  }
  return { width, height, values, rims };
}

/** A layer blurred by a vertical motion of each column, px, in the rows that are compared. */
export function blurred(layer: Layer, displacements: readonly number[]): Layer {
  const { height, values, rims } = layer;
  if (displacements.every((way) => Math.abs(way) < BEAM.sharp)) return layer;
  const out = values.slice();
  displacements.forEach((way, column) => {
    const length = Math.abs(way);
    const own = rims[column];
    if (length < BEAM.sharp || !own) return;
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
    // Pixels are compared up to a distance from the beam, and interpolated between rows around them.
    const beside = BEAM.beside + reach + 2;
    const [first, last] = [Math.max(Math.floor(own[0] - beside), 0), Math.min(Math.ceil(own[1] + beside), height - 1)];
    const top = 4 * column * height;
    for (let row = first; row <= last; row++) {
      let [red, green, blue, covered] = [0, 0, 0, 0];
      for (let k = -reach; k <= reach; k++) {
        const weight = kernel[reach + k];
        const from = top + 4 * Math.min(Math.max(row + k, 0), height - 1);
        red += weight * values[from];
        green += weight * values[from + 1];
        blue += weight * values[from + 2];
        covered += weight * values[from + 3];
      }
      const to = top + 4 * row;
      out[to] = red;
      out[to + 1] = green;
      out[to + 2] = blue;
      out[to + 3] = covered;
    }
  });
  return { ...layer, values: out };
}

/** Light and hidden fraction of a layer at a point: interpolated linearly between columns, cubically between rows. */
export function sampleLayer({ width, height, values }: Layer, x: number, y: number, into: Float64Array): void {
  const column = Math.min(Math.max(Math.floor(x), 0), width - 2);
  const first = Math.floor(y);
  const u = Math.min(Math.max(x - column, 0), 1);
  const weights = cubic(y - first);
  let [red, green, blue, covered] = [0, 0, 0, 0];
  for (let k = 0; k < 4; k++) {
    const row = Math.min(Math.max(first - 1 + k, 0), height - 1);
    const from = 4 * (column * height + row);
    const next = from + 4 * height;
    const right = weights[k] * u;
    const left = weights[k] - right;
    red += left * values[from] + right * values[next];
    green += left * values[from + 1] + right * values[next + 1];
    blue += left * values[from + 2] + right * values[next + 2];
    covered += left * values[from + 3] + right * values[next + 3];
  }
  into[0] = red;
  into[1] = green;
  into[2] = blue;
  into[3] = covered;
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
