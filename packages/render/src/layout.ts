import type { PixelGrid } from '@gradsim/core';
import { describeValue, GradsimError } from '@gradsim/core';
/** Side of the square tiles in which images are stored, in pixels. */
export const TILE = 8;
/** Number of pixels of one tile. */
export const TILE_PIXELS = TILE * TILE;

/** Size and number of the pictures of a scene. */
export interface ImageSize {
  /** Width in pixels. */
  readonly width: number;
  /** Height in pixels. */
  readonly height: number;
  /** Number of cameras, each of which takes one picture; default 1. */
  readonly cameras?: number;
}

/**
 * Layout of all cameras' pictures in the domain `pixels`: tile by tile, so that pixels adjacent in memory are adjacent
 * in the picture, in both directions.
 *
 * Pixel (x, y) of a camera is element `((camera * tilesY + y div 8) * tilesX + x div 8) * 64 + (y mod 8) * 8 + x mod
 * 8`. Width and height are padded to whole tiles; padding pixels hold zeros and no kernel draws them; give observations
 * weights made by {@link fromRows} of ones, so that they do not count.
 */
export interface ImageLayout {
  readonly width: number;
  readonly height: number;
  readonly cameras: number;
  /** Number of tiles across one picture (`tilesX`) and down (`tilesY`). */
  readonly tilesX: number;
  readonly tilesY: number;
  /** Numbers of tiles and of pixels of all cameras' pictures together, padding included. */
  readonly tiles: number;
  readonly pixels: number;
}

/**
 * Returns the layout of pictures of a size.
 *
 * ```ts
 * const layout = imageLayout({ width: 64, height: 48 }); // layout.pixels === 64 * 48
 * ```
 * @throws for sizes that are not whole positive numbers, or more than 2^31 pixels.
 */
export function imageLayout({ width, height, cameras = 1 }: ImageSize): ImageLayout {
  for (const [name, value] of Object.entries({ width, height, cameras })) {
    if (!Number.isInteger(value) || value < 1) {
      throw new GradsimError(
        'render/picture-size',
        `The ${name} of the pictures is a whole number of at least 1, not ${describeValue(value)}.`,
      );
    }
  }
  const tilesX = Math.ceil(width / TILE);
  const tilesY = Math.ceil(height / TILE);
  const tiles = cameras * tilesX * tilesY;
  if (tiles * TILE_PIXELS > 2 ** 31) {
    throw new GradsimError(
      'render/picture-size',
      `${cameras} pictures of ${width} x ${height} pixels are more than 2^31 pixels.`,
      { hint: 'Make them smaller or fewer.' },
    );
  }
  return { width, height, cameras, tilesX, tilesY, tiles, pixels: tiles * TILE_PIXELS };
}

/** Positions of the elements of `pixels` in the pictures, for {@link Model.addDomain}. */
export const gridOf = ({ width, height }: ImageLayout): PixelGrid => ({ width, height, tile: TILE });

/** Returns the index in the domain `pixels` of a camera's pixel (x, y), counted from the top left. */
export function pixelIndex(layout: ImageLayout, camera: number, x: number, y: number): number {
  const tile = (camera * layout.tilesY + Math.floor(y / TILE)) * layout.tilesX + Math.floor(x / TILE);
  return tile * TILE_PIXELS + (y % TILE) * TILE + (x % TILE);
}

/** Types of array that pictures can be stored in. */
export type PixelArray = Float32Array | Float64Array | Uint8Array | Uint8ClampedArray;

/**
 * Converts pictures from the layout of the domain `pixels` to plain ones, camera by camera, row by row from the top:
 * `data[((camera * height + y) * width + x) * channels + channel]`.
 *
 * @param pixels `layout.pixels * channels` numbers, the channels of a pixel adjacent; or several such sets (frames,
 * worlds) one after another, which are returned in that order.
 * @param target array to write to instead of a new one, such as the bytes of an ImageData.
 * @throws if `pixels` is not a whole number of sets, or `target` does not have the length of the result.
 */
export function toRows<A extends PixelArray>(layout: ImageLayout, pixels: A, channels: number, target?: A): A {
  const sets = setCount(pixels.length, layout.pixels * channels);
  const length = sets * plainPixels(layout) * channels;
  if (target && target.length !== length)
    throw new GradsimError(
      'render/wrong-size',
      `The pictures take ${length} numbers, and \`into\` has ${target.length}.`,
    );
  const rows = target ?? emptyLike(pixels, length);
  forEachPixelRun(layout, sets, (row, pixel, count) => {
    const [from, to] = [pixel * channels, row * channels];
    for (let k = 0; k < count * channels; k++) rows[to + k] = pixels[from + k];
  });
  return rows;
}

/**
 * Inverse of {@link toRows}: converts plain pictures to the layout of the domain `pixels`; padding pixels become zero.
 */
export function fromRows<A extends PixelArray>(layout: ImageLayout, rows: A, channels: number): A {
  const sets = setCount(rows.length, plainPixels(layout) * channels);
  const pixels = emptyLike(rows, sets * layout.pixels * channels);
  forEachPixelRun(layout, sets, (row, pixel, count) => {
    const [from, to] = [row * channels, pixel * channels];
    for (let k = 0; k < count * channels; k++) pixels[to + k] = rows[from + k];
  });
  return pixels;
}

/**
 * Returns red, green and blue of recorded `pixels.rgba` as plain pictures without alpha, in the order of {@link
 * toRows}.
 *
 * ```ts
 * const film = colorRows(layoutOf(model), await simulation.readFrames(Pixel.rgba)); // [frame][camera][y][x][3]
 * ```
 * @param rgba `layout.pixels * 4` numbers, or any number of such sets (frames, worlds) one after another.
 * @throws when there is no whole number of sets.
 */
export function colorRows(layout: ImageLayout, rgba: ArrayLike<number>): Float32Array {
  const sets = setCount(rgba.length, layout.pixels * 4);
  const rows = new Float32Array(sets * plainPixels(layout) * 3);
  forEachPixelRun(layout, sets, (row, pixel, count) => {
    for (let k = 0, from = 4 * pixel, to = 3 * row; k < count; k++, from += 4, to += 3) {
      rows[to] = rgba[from];
      rows[to + 1] = rgba[from + 1];
      rows[to + 2] = rgba[from + 2];
    }
  });
  return rows;
}

function emptyLike<A extends PixelArray>(like: A, length: number): A {
  const ArrayOf = like.constructor as new (length: number) => A;
  return new ArrayOf(length);
}

function setCount(length: number, one: number): number {
  if (length === 0 || length % one !== 0) {
    throw new GradsimError(
      'render/wrong-size',
      `${length} numbers are not a whole number of pictures: those of all cameras have ${one}.`,
    );
  }
  return length / one;
}

/** Number of pixels of the pictures of all cameras, without padding. */
const plainPixels = ({ cameras, width, height }: ImageLayout): number => cameras * width * height;

/**
 * Calls `visit` for each run of pixels contiguous both in plain pictures (index `row`) and in the domain `pixels`
 * (index `pixel`): a row of a tile, clipped to the picture. Sets follow each other as the pictures of further cameras would.
 */
function forEachPixelRun(
  layout: ImageLayout,
  sets: number,
  visit: (row: number, pixel: number, count: number) => void,
): void {
  const { width, height, cameras } = layout;
  for (let picture = 0; picture < sets * cameras; picture++) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x += TILE) {
        const row = (picture * height + y) * width + x;
        visit(row, pixelIndex(layout, picture, x, y), Math.min(TILE, width - x));
      }
    }
  }
}
