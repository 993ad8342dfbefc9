import { standardNormal } from '@gradsim/base';
import type { SideFilm } from '@gradsim/mpm';
import { randomNumbers } from '@gradsim/optim';

/** Part of the world that a film shows: the plane of x and y from a corner on, m, and the noise of its pixels. */
export interface Viewport {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly pixel: number;
  readonly noise: number;
  readonly seed: number;
}

/** Samples along a side of a pixel. */
const SAMPLES = 3;

/** Points of a body, and how they are drawn. */
export interface Drawn {
  readonly points: number;
  /** Distance between neighbouring points at first, m. */
  readonly distance: number;
  /** Radius of a point's metaball, m: more than any neighbours' distance in the film, or holes open between them. */
  readonly reach: number;
}

/**
 * Film of a body of points, drawn as graphics draws them and this project does not: a sample is inside where the points'
 * metaballs sum to half of what they do deep inside. An edge of a regular body lies half the distance of its points
 * outside of the last ones.
 * @param positions x, y, z of each point, frame by frame.
 */
export function filmOf(positions: Float64Array, { points, distance, reach }: Drawn, shot: Viewport): SideFilm {
  const { left, top, width, height, pixel, noise, seed } = shot;
  const frames = positions.length / (3 * points);
  const pixels = new Float64Array(frames * width * height);
  const [columns, rows, step] = [width * SAMPLES, height * SAMPLES, pixel / SAMPLES];
  // Integral of (1 - r^2/reach^2)^3 over the plane, for a point an area of distance^2.
  const deep = (Math.PI * reach ** 2) / 4 / distance ** 2;
  const random = randomNumbers(seed);
  for (let frame = 0; frame < frames; frame++) {
    const sums = new Float64Array(columns * rows);
    for (let k = 0; k < points; k++) {
      const [x, y] = positions.subarray(3 * (frame * points + k));
      const [column, row] = [(x - left) / step - 0.5, (top - y) / step - 0.5];
      const far = reach / step;
      for (let j = Math.max(0, Math.ceil(row - far)); j <= Math.min(rows - 1, row + far); j++)
        for (let i = Math.max(0, Math.ceil(column - far)); i <= Math.min(columns - 1, column + far); i++) {
          const near = 1 - ((i - column) ** 2 + (j - row) ** 2) / far ** 2;
          if (near > 0) sums[j * columns + i] += near ** 3;
        }
    }
    const start = frame * width * height;
    sums.forEach((sum, k) => {
      const [j, i] = [Math.floor(k / columns / SAMPLES), Math.floor((k % columns) / SAMPLES)];
      if (sum > deep / 2) pixels[start + j * width + i] += 1 / SAMPLES ** 2;
    });
  }
  return { pixels: pixels.map((value) => value + noise * standardNormal(random)), width, height, pixel, left, top };
}
