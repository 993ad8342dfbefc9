import type { Plugin } from '@gradsim/core';
import { definePlugin, describeValue, f32, field, GradsimError, refuseUnknownOptions } from '@gradsim/core';
import { grid } from '@gradsim/dynamics';
import { cover } from './cover.ts';
import { MATERIALS } from './materials/all.ts';

const CELLS = 'coverageCells';

/** Area of material points around each cell of a picture. */
export const Coverage = { share: field(CELLS, 'share', f32) } as const;

/** Options of {@link coverage}: cells in the plane of x and y, beyond all points by a cell at least. */
export interface CoverageOptions {
  /** Numbers of cells along x and y. */
  readonly size: readonly [number, number];
  /** Width of a cell, m: at least twice the distance between points. */
  readonly spacing: number;
  /** Centre of the first cell, m. Default [0, 0]. */
  readonly origin?: readonly [number, number];
  /** Extent of the material along z, m. Default 1, that of two dimensions. */
  readonly thickness?: number;
}

/**
 * Plugin that takes a picture of all material points from the side, `Coverage.share`: the share of each cell that they
 * cover, y fastest. A cell weighs places by the quadratic B-spline about its centre, 3 cells wide, so that edges have no
 * bias and derivatives are smooth. {@link coverageOf} weighs the pixels of a film by the same.
 *
 * ```ts
 * const picture = { size: [28, 20], spacing: 0.01, origin: [-0.14, -0.06] } as const;
 * const scene = createScene([mpm({ size: [28, 20], spacing: 0.01, origin: [-0.14, -0.06] }), coverage(picture)]);
 * // ... observations: [{ field: Coverage.share, ...coverageOf(film, picture), noise }]
 * ```
 * @throws for unknown options, and those out of their range.
 */
export function coverage(options: CoverageOptions): Plugin {
  checkOptions('coverage', options);
  return definePlugin({
    name: '@gradsim/mpm/coverage',
    contract: 1,
    requires: ['@gradsim/mpm'],
    build: ({ model, entities }) => {
      const present = MATERIALS.filter(({ component }) => entities(component).length > 0);
      const { size, spacing, origin, thickness = 1 } = options;
      const contains = present.map(({ component }) => component.position);
      const cells = grid(model, CELLS, { size, spacing, origin, edge: 'zero', contains });
      for (const material of present) model.addPass('pose', cover(material, cells, Coverage.share, thickness));
    },
  });
}

function checkOptions(what: string, options: CoverageOptions): void {
  refuseUnknownOptions<CoverageOptions>(what, options, { size: true, spacing: true, origin: true, thickness: true });
  const { size, thickness = 1 } = options;
  if (!Array.isArray(size) || size.length !== 2)
    refuse(`${what}: size`, size, 'size', 'It takes the numbers of cells along x and y.');
  if (!(typeof thickness === 'number' && thickness > 0 && Number.isFinite(thickness)))
    refuse(`${what}: thickness`, thickness, 'thickness', 'It must be a number above 0.');
}

function refuse(what: string, value: unknown, option: string, hint: string): never {
  throw new GradsimError('mpm/option-out-of-range', `${what} is ${describeValue(value)}.`, { field: option, hint });
}

/** Masks of a film, or grey pictures of something white before black. */
export interface SideFilm {
  /** Share of each pixel that the material covers, 0 to 1: frame by frame, row by row from the top. */
  readonly pixels: ArrayLike<number>;
  readonly width: number;
  readonly height: number;
  /** Width of a pixel in the plane of the material, m. */
  readonly pixel: number;
  /** Left and upper edge of the picture, m. */
  readonly left: number;
  readonly top: number;
}

/**
 * Target of `Coverage.share` from a film whose camera looks along z, and weights that name the cells to compare: every
 * other one, since the pixels of neighbouring cells overlap, and only those that lie within the picture.
 * @throws when the pixels are no whole number of pictures, or no cell lies within the picture.
 */
export function coverageOf(film: SideFilm, options: CoverageOptions): { target: Float64Array; weights: Float64Array } {
  checkOptions('coverageOf', options);
  const { pixels, width, height, pixel, left, top } = film;
  const { size, spacing, origin = [0, 0] } = options;
  const frames = pixels.length / (width * height);
  if (!Number.isInteger(frames) || frames < 1)
    refuse(
      `coverageOf: the number of pixels`,
      pixels.length,
      'pixels',
      `It must be a multiple of ${width} x ${height}.`,
    );
  const along = weightsOf(size[0], (k) => (left + (k + 0.5) * pixel - origin[0]) / spacing, width);
  const up = weightsOf(size[1], (k) => (top - (k + 0.5) * pixel - origin[1]) / spacing, height);
  const cells = size[0] * size[1];
  const one = pixel / spacing;
  const target = new Float64Array(frames * cells);
  const weights = Float64Array.from({ length: cells }, (_, cell) => {
    const [i, j] = [Math.floor(cell / size[1]), cell % size[1]];
    // Of a cell within the picture the weights of all pixels sum to its area.
    const isWhole = [along[i], up[j]].every((own) => Math.abs(one * own.reduce((sum, w) => sum + w, 0) - 1) < 0.1);
    return isWhole && i % 2 === 0 && j % 2 === 0 ? 1 : 0;
  });
  if (!weights.includes(1))
    refuse('coverageOf: pixel', pixel, 'pixel', 'No cell lies within the picture: check pixel, left and top.');
  const rows = new Float64Array(size[0] * height);
  for (let frame = 0; frame < frames; frame++) {
    for (let i = 0; i < size[0]; i++)
      for (let row = 0; row < height; row++) {
        let sum = 0;
        const start = (frame * height + row) * width;
        for (let k = 0; k < width; k++) sum += along[i][k] * pixels[start + k];
        rows[i * height + row] = sum;
      }
    for (let i = 0; i < size[0]; i++)
      for (let j = 0; j < size[1]; j++) {
        let sum = 0;
        for (let row = 0; row < height; row++) sum += up[j][row] * rows[i * height + row];
        target[frame * cells + i * size[1] + j] = sum * one * one;
      }
  }
  return { target, weights };
}

/** Weights of pixels, [cell][pixel], with their places counted in cells. */
const weightsOf = (cells: number, place: (pixel: number) => number, pixels: number): Float64Array[] =>
  Array.from({ length: cells }, (_, cell) => Float64Array.from({ length: pixels }, (_, k) => spline(place(k) - cell)));

/** Quadratic B-spline. */
function spline(x: number): number {
  const d = Math.abs(x);
  return d < 0.5 ? 0.75 - d * d : d < 1.5 ? (1.5 - d) ** 2 / 2 : 0;
}
