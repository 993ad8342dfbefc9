import { describeValue, GradsimError } from '@gradsim/base';
import type { BoardView } from './calibrate.ts';
import type { Point2 } from './camera.ts';
import { findCorners, refineCorner } from './corners.ts';
import type { GreyPicture } from './grey-picture.ts';
import { findGrid } from './grid.ts';

/** A checkerboard, described by its inner corners. */
export interface Board {
  /**
   * Numbers of inner corners, where four squares meet: `columns` of them in each row, in `rows` rows. At least 3 each.
   */
  readonly columns: number;
  readonly rows: number;
  /** Side of one square, m. */
  readonly square: number;
}

/**
 * Maximum side, px, to which pictures are reduced for the first search for corners; positions are refined in the full
 * picture.
 */
const SEARCH_SIDE = 900;

/**
 * Finds the inner corners of a checkerboard in a picture, to a small fraction of a pixel, row by row. The order is
 * right-handed as in a text: columns go right and rows down if the board is seen upright. If one of `columns` and
 * `rows` is odd and the other even, the first corner is unique: it has a dark square diagonally before it. Otherwise
 * the order may be turned by 180 degrees, or if `columns` equals `rows` by 90.
 *
 * Corners are saddle points of brightness whose surroundings go dark, light, dark, light; neighbours make a grid, and
 * each is then moved to where gradients around it point past it (W. Foerstner, E. Guelch, 1987).
 *
 * ```ts
 * const view = findBoard(picture, { columns: 9, rows: 6, square: 0.025 }, 'IMG_0001.png');
 * ```
 * @returns undefined if the whole board is not found.
 * @throws for a board with fewer than 3 x 3 corners, and for a side of a square that is not a finite number above 0.
 */
export function findBoard(picture: GreyPicture, board: Board, name = 'picture'): BoardView | undefined {
  checkBoard(board);
  const { columns, rows, square } = board;
  const halvings = Math.max(0, Math.ceil(Math.log2(Math.max(picture.width, picture.height) / SEARCH_SIDE)));
  for (let level = halvings; level >= 0; level--) {
    const small = halvePicture(picture, level);
    // Corners of blurred pictures are visible at a larger scale.
    for (const scale of [1.5, 3]) {
      const found = findGrid(findCorners(small, scale), columns, rows);
      if (!found) continue;
      const by = 2 ** level;
      const there = found.map(([x, y]): Point2 => [(x + 0.5) * by - 0.5, (y + 0.5) * by - 0.5]);
      const ordered = startAtDarkSquare(picture, there, columns, rows);
      const reach = Math.max(2, Math.min(0.4 * leastSpacing(ordered, columns), 15 * by));
      const seen = ordered.map((corner) => refineCorner(picture, corner, reach));
      if (seen.some((corner) => corner === undefined)) continue;
      return {
        name,
        points: seen.map((_, k): Point2 => [(k % columns) * square, Math.floor(k / columns) * square]),
        pixels: seen as Point2[],
      };
    }
  }
  return undefined;
}

/**
 * Checks a board. @throws for counts of corners that are not integers of at least 3, and for an invalid side.
 */
export function checkBoard({ columns, rows, square }: Board): void {
  for (const [name, count] of Object.entries({ columns, rows }))
    if (!(Number.isInteger(count) && count >= 3))
      throw new GradsimError('cameras/option-out-of-range', `The board has ${count} ${name} of inner corners.`, {
        hint: 'It must have at least 3, where four squares meet, a whole number.',
      });
  if (!(square > 0 && Number.isFinite(square)))
    throw new GradsimError('cameras/option-out-of-range', `The board's squares are ${describeValue(square)} m.`, {
      hint: 'It must be a number above 0.',
    });
}

/** Halves a picture `times` times, each time to the means of 2 x 2 pixels. */
function halvePicture(picture: GreyPicture, times: number): GreyPicture {
  let now = picture;
  for (let k = 0; k < times; k++) {
    const [width, height] = [now.width >> 1, now.height >> 1];
    const data = new Float32Array(width * height);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const at = 2 * y * now.width + 2 * x;
        data[y * width + x] =
          (now.data[at] + now.data[at + 1] + now.data[at + now.width] + now.data[at + now.width + 1]) / 4;
      }
    now = { width, height, data };
  }
  return now;
}

function leastSpacing(corners: readonly Point2[], columns: number): number {
  let least = Number.POSITIVE_INFINITY;
  corners.forEach(([x, y], k) => {
    for (const other of [k % columns > 0 ? k - 1 : -1, k - columns])
      if (other >= 0) least = Math.min(least, Math.hypot(x - corners[other][0], y - corners[other][1]));
  });
  return least;
}

/** Reverses the order of corners if the square diagonally before the first is not dark and `columns + rows` is odd. */
function startAtDarkSquare(
  picture: GreyPicture,
  corners: readonly Point2[],
  columns: number,
  rows: number,
): readonly Point2[] {
  if ((columns + rows) % 2 === 0) return corners;
  const at = (k: number): number => {
    const [a, b, c] = [corners[k], corners[k + 1], corners[k + columns]];
    // Half a square before and after the corner, along the diagonal: both squares are equally dark.
    const value = (sign: number): number =>
      brightness(
        picture,
        a[0] + (sign * (b[0] - a[0] + c[0] - a[0])) / 2,
        a[1] + (sign * (b[1] - a[1] + c[1] - a[1])) / 2,
      );
    const other = brightness(
      picture,
      a[0] + (b[0] - a[0] - (c[0] - a[0])) / 2,
      a[1] + (b[1] - a[1] - (c[1] - a[1])) / 2,
    );
    return value(1) + value(-1) - 2 * other;
  };
  // Summed over all inner squares.
  let sum = 0;
  for (let j = 0; j + 1 < rows; j++)
    for (let i = 0; i + 1 < columns; i++) sum += ((i + j) % 2 === 0 ? 1 : -1) * at(j * columns + i);
  return sum <= 0 ? corners : [...corners].reverse();
}

/** Brightness of the nearest pixel, clamped at the border. */
function brightness({ width, height, data }: GreyPicture, x: number, y: number): number {
  const column = Math.min(width - 1, Math.max(0, Math.round(x)));
  const row = Math.min(height - 1, Math.max(0, Math.round(y)));
  return data[row * width + column];
}
