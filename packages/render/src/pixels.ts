import type { Bool, F32, U32 } from '@gradsim/core';
import { f32, select } from '@gradsim/core';
import type { ImageLayout } from './layout.ts';
import { TILE, TILE_PIXELS } from './layout.ts';

/** Position of a pixel, as traced values of a kernel. */
export interface PixelPlace {
  /** Column and row from the top left, in pixels. */
  readonly column: U32;
  readonly row: U32;
  readonly camera: U32;
  /** Column and row of the pixel's tile in its picture, and the tile's index among those of all pictures. */
  readonly tileX: U32;
  readonly tileY: U32;
  readonly tile: U32;
}

/** Returns the picture position of an index `pixel` into the domain `pixels`, inside a kernel. */
export function placeOf(layout: ImageLayout, pixel: U32): PixelPlace {
  // Every division is of the element itself or of a value shared by all pixels of a tile row: SIMD back ends then see
  // that neighbours share the tile, the row and everything derived from them.
  const tile = pixel.div(TILE_PIXELS);
  const rowOfTiles = pixel.div(TILE);
  const tileRow = tile.div(layout.tilesX);
  const tileX = tile.sub(tileRow.mul(layout.tilesX));
  const camera = tileRow.div(layout.tilesY);
  const tileY = tileRow.sub(camera.mul(layout.tilesY));
  const rowInTile = rowOfTiles.sub(tile.mul(TILE));
  const columnInTile = pixel.sub(rowOfTiles.mul(TILE));
  return {
    column: tileX.mul(TILE).add(columnInTile),
    row: tileY.mul(TILE).add(rowInTile),
    camera,
    tileX,
    tileY,
    tile,
  };
}

// Pixel numbers are converted via i32 to f32: processors convert signed integers in one instruction, unsigned ones in
// five.

/**
 * Device x, from -1 to 1 over the picture, of the centre of a pixel column: (1 - W)/W for the first, (W - 1)/W for the
 * last. For use inside a kernel.
 */
export function deviceX(layout: ImageLayout, column: U32): F32 {
  return column
    .toI32()
    .toF32()
    .mul(2 / layout.width)
    .add((1 - layout.width) / layout.width);
}

/**
 * Device y, from -1 to 1 over the picture, of the centre of a pixel row: (H - 1)/H for the top row, (1 - H)/H for the
 * bottom one. For use inside a kernel.
 */
export function deviceY(layout: ImageLayout, row: U32): F32 {
  return row
    .toI32()
    .toF32()
    .mul(-2 / layout.height)
    .add((layout.height - 1) / layout.height);
}

/** Returns whether the layout has padding pixels; kernels of pictures without any skip the check. */
const isPadded = ({ width, height, tilesX, tilesY }: ImageLayout): boolean =>
  width !== tilesX * TILE || height !== tilesY * TILE;

/** Restricts a condition to pixels inside the picture: false in the padding, inside a kernel. */
export function restrictToPicture(layout: ImageLayout, { column, row }: PixelPlace, condition: Bool): Bool {
  return isPadded(layout) ? condition.and(column.lt(layout.width)).and(row.lt(layout.height)) : condition;
}

/** Restricts a value to pixels inside the picture: 0 in the padding, inside a kernel. */
export function inPicture(layout: ImageLayout, { column, row }: PixelPlace, value: F32): F32 {
  return isPadded(layout) ? select(column.lt(layout.width).and(row.lt(layout.height)), value, f32(0)) : value;
}
