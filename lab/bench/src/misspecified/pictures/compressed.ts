import type { Film } from '../film.ts';
import { CHANNELS, PICTURE } from '../film.ts';
import { SIZE } from '../kinds/scene.ts';

/** Side of a compressed block, px. */
const SIDE = 8;
/** Quantisation steps for luminance in the JPEG standard (ITU-T T.81, table K.1), for values up to 255. */
const QUANTISATION_STEPS = [
  [16, 11, 10, 16, 24, 40, 51, 61],
  [12, 12, 14, 19, 26, 58, 60, 55],
  [14, 13, 16, 24, 40, 57, 69, 56],
  [14, 17, 22, 29, 51, 87, 80, 62],
  [18, 22, 37, 56, 68, 109, 103, 77],
  [24, 35, 55, 64, 81, 104, 113, 92],
  [49, 64, 78, 87, 103, 121, 120, 101],
  [72, 92, 95, 98, 112, 100, 103, 99],
];

/** Orthonormal cosine basis of a block: row k has k half periods. */
const COSINE_BASIS = Array.from({ length: SIDE }, (_, k) =>
  Array.from(
    { length: SIDE },
    (__, x) => Math.sqrt((k === 0 ? 1 : 2) / SIDE) * Math.cos(((2 * x + 1) * k * Math.PI) / (2 * SIDE)),
  ),
);

type Matrix = readonly (readonly number[])[];
const transposed = (matrix: Matrix): number[][] => matrix[0].map((_, j) => matrix.map((row) => row[j]));
const product = (a: Matrix, b: Matrix): number[][] =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));
const PLACES = transposed(COSINE_BASIS);

/** Quantises a block: rounds its cosine coefficients to multiples of the steps, and transforms back. */
function rounded(block: Matrix, strength: number): number[][] {
  const waves = product(product(COSINE_BASIS, block), PLACES);
  const kept = waves.map((row, k) =>
    row.map((wave, j) => {
      const step = (strength * QUANTISATION_STEPS[k][j]) / 255;
      return step > 0 ? Math.round(wave / step) * step : wave;
    }),
  );
  return product(product(PLACES, kept), COSINE_BASIS);
}

/**
 * Returns the pictures after compression: cosine coefficients of each 8 x 8 block of each colour channel, rounded to
 * multiples of the quantisation steps. Strength 1 is JPEG's quality 50.
 */
export function compressFilm(film: Film, strength: number): Film {
  const kept = Float64Array.from(film);
  const block = Array.from({ length: SIDE }, () => new Array<number>(SIDE).fill(0));
  for (let at = 0; at < film.length; at += PICTURE)
    for (let c = 0; c < CHANNELS - 1; c++)
      for (let top = 0; top < SIZE; top += SIDE)
        for (let left = 0; left < SIZE; left += SIDE) {
          const place = (y: number, x: number): number => at + ((top + y) * SIZE + left + x) * CHANNELS + c;
          for (let y = 0; y < SIDE; y++) for (let x = 0; x < SIDE; x++) block[y][x] = film[place(y, x)];
          const values = rounded(block, strength);
          for (let y = 0; y < SIDE; y++) for (let x = 0; x < SIDE; x++) kept[place(y, x)] = values[y][x];
        }
  return kept;
}
