import type { Bool, Kernel, U32 } from '@gradsim/core';
import { abs, countTrailingZeros, fieldOn, forRange, kernel, loop, mat33, min, select, u32, vec2 } from '@gradsim/core';
import { TILE } from '../layout.ts';
import { ofThree } from '../three.ts';
import { reachWithMargin } from './corners.ts';
import type { RasterShape } from './shape.ts';
import { FACES_PER_WORD, maskSizes } from './shape.ts';
import { cornersOf, heightsOf, mayContribute, normalOf } from './triangle.ts';

/*
 * Which faces' bounds touch a tile is the intersection of those that touch its row of tiles and those that touch
 * its column, so two short lists of bit masks say it for all tiles, with few tests even for many faces. The bits
 * that are left are held against the edges. Masks are of fixed size: no list can overflow, no face is ever dropped.
 */

/**
 * Kernel over `rowWords`: `rowMask`, a mask of 32 faces, one bit each, set if the face's bounds overlap the row of
 * tiles.
 */
export function rowBins(shape: RasterShape): Kernel {
  return kernel(
    'rowBins',
    {
      domain: 'rowWords',
      reads: { firstRow: fieldOn('viewFaces', u32), endRow: fieldOn('viewFaces', u32) },
      writes: { rowMask: u32 },
    },
    ({ firstRow, endRow }, { element }) => ({
      rowMask: faceMask(shape, element, shape.layout.tilesY, (face, from) =>
        firstRow.at(face).lt(from.add(TILE)).and(endRow.at(face).gt(from)),
      ),
    }),
  );
}

/**
 * Kernel over `columnWords`: `columnMask`, a mask of 32 faces, one bit each, set if the face's bounds overlap the
 * column of tiles.
 */
export function columnBins(shape: RasterShape): Kernel {
  return kernel(
    'columnBins',
    {
      domain: 'columnWords',
      reads: { firstColumn: fieldOn('viewFaces', u32), endColumn: fieldOn('viewFaces', u32) },
      writes: { columnMask: u32 },
    },
    ({ firstColumn, endColumn }, { element }) => ({
      columnMask: faceMask(shape, element, shape.layout.tilesX, (face, from) =>
        firstColumn.at(face).lt(from.add(TILE)).and(endColumn.at(face).gt(from)),
      ),
    }),
  );
}

/**
 * Mask of element `(camera * words + word) * strips + strip`: bit k is set if `touches` holds for face `32 word + k`
 * and the row or column of tiles `strip`.
 */
function faceMask(
  shape: RasterShape,
  element: U32,
  strips: number,
  touches: (face: U32, firstPixel: U32) => Bool,
): U32 {
  const { words } = maskSizes(shape);
  const cameraWord = element.div(strips);
  const firstPixel = element.sub(cameraWord.mul(strips)).mul(TILE);
  const camera = cameraWord.div(words);
  const firstFace = cameraWord.sub(camera.mul(words)).mul(FACES_PER_WORD);
  const count = min(u32(shape.faces).sub(firstFace), u32(FACES_PER_WORD));
  const firstOfCamera = camera.mul(shape.faces);
  return forRange(0, count, u32(0), (k, mask) => {
    const face = firstOfCamera.add(min(firstFace.add(k), shape.faces - 1));
    return mask.or(select(touches(face, firstPixel), u32(1).shiftLeft(k), u32(0)));
  });
}

/** Decodes a tile from element `((camera * perTile + k) * tilesY + tileY) * tilesX + tileX`. */
function tileOf({ layout }: RasterShape, element: U32, perTile: number) {
  const strip = element.div(layout.tilesX);
  const tileX = element.sub(strip.mul(layout.tilesX));
  const cameraK = strip.div(layout.tilesY);
  const tileY = strip.sub(cameraK.mul(layout.tilesY));
  const camera = cameraK.div(perTile);
  return { tileX, tileY, camera, k: cameraK.sub(camera.mul(perTile)), cameraK };
}

/** Field names of the two levels of masks: of the faces of each tile, and of the non-zero words of the first level. */
interface MaskNames {
  readonly tileMask: string;
  readonly groupMask: string;
}
/** Fields with masks of the faces that may contribute to a pixel of the tile. */
export const NEAR_MASKS: MaskNames = { tileMask: 'tileMask', groupMask: 'groupMask' };
/** Fields with masks of the faces that may cover a pixel of the tile. */
export const COVERING_MASKS: MaskNames = { tileMask: 'coveringMask', groupMask: 'coveringGroupMask' };

/**
 * Kernel over `tileWords`: `tileMask`, a mask of 32 faces, one bit each, set if the face may contribute to a pixel of
 * the tile; with `covering` also `coveringMask`, set if it may cover one.
 */
export function tileBins(shape: RasterShape, deviceReach: number, covering: boolean): Kernel {
  const { layout, faces, aspect } = shape;
  const { words } = maskSizes(shape);
  // Distance from the middle of a tile to the centres of its outermost pixels, in the units of distances.
  const halfWidth = (aspect * (TILE - 1)) / layout.width;
  const halfHeight = (TILE - 1) / layout.height;
  const reaches = covering ? [deviceReach, 0] : [deviceReach];
  const names = [NEAR_MASKS, COVERING_MASKS].slice(0, reaches.length).map(({ tileMask }) => tileMask);
  return kernel(
    'tileBins',
    {
      domain: 'tileWords',
      reads: {
        rowMask: fieldOn('rowWords', u32),
        columnMask: fieldOn('columnWords', u32),
        screen: fieldOn('viewFaces', mat33),
        heights: fieldOn('viewFaces', mat33),
      },
      writes: Object.fromEntries(names.map((name) => [name, u32])),
    },
    ({ rowMask, columnMask, screen, heights }, { element }) => {
      const { tileX, tileY, camera, k: word, cameraK } = tileOf(shape, element, words);
      const touching = rowMask
        .at(cameraK.mul(layout.tilesY).add(tileY))
        .and(columnMask.at(cameraK.mul(layout.tilesX).add(tileX)));
      const x = tileX
        .toF32()
        .mul((2 * aspect * TILE) / layout.width)
        .add(aspect * (TILE / layout.width - 1));
      const y = tileY
        .toF32()
        .mul((-2 * TILE) / layout.height)
        .add(1 - TILE / layout.height);
      const [firstOfCamera, firstFace] = [camera.mul(faces), word.mul(FACES_PER_WORD)];
      const start = { bits: touching, ...Object.fromEntries(names.map((name) => [name, u32(0)])) };
      const { bits: _, ...masks } = loop<Readonly<Record<string, U32>>>(
        start,
        ({ bits }) => bits.ne(0),
        ({ bits, ...before }) => {
          const bit = countTrailingZeros(bits);
          const face = firstOfCamera.add(min(firstFace.add(bit), faces - 1));
          const [origin] = cornersOf(screen.at(face));
          const edges = heights.at(face);
          const middle = heightsOf(edges, vec2(x, y).sub(origin));
          const highest = ofThree((k) => {
            const normal = normalOf(edges, k);
            return middle[k].add(abs(normal.x).mul(halfWidth)).add(abs(normal.y).mul(halfHeight));
          });
          const own = u32(1).shiftLeft(bit);
          const after = names.map((name, k) => {
            const counts = mayContribute(highest, reachWithMargin(shape, reaches[k]));
            return [name, before[name].or(select(counts, own, u32(0)))];
          });
          return { bits: bits.and(bits.sub(1)), ...Object.fromEntries(after) };
        },
      );
      return masks;
    },
  );
}

/** Kernel over `tileGroups`: `groupMask`, a mask of 32 words of `tileMask`, one bit each, set if the word is not 0. */
export function groupBins(shape: RasterShape): Kernel {
  const { layout } = shape;
  const { words, groups } = maskSizes(shape);
  const tiles = layout.tilesX * layout.tilesY;
  return kernel(
    'groupBins',
    {
      domain: 'tileGroups',
      reads: { tileMask: fieldOn('tileWords', u32) },
      writes: { groupMask: u32 },
    },
    ({ tileMask }, { element }) => {
      const { tileX, tileY, camera, k: group } = tileOf(shape, element, groups);
      const firstWord = group.mul(FACES_PER_WORD);
      const count = min(u32(words).sub(firstWord), u32(FACES_PER_WORD));
      const tile = tileY.mul(layout.tilesX).add(tileX);
      const groupMask = forRange(0, count, u32(0), (k, bits) => {
        const word = camera.mul(words).add(min(firstWord.add(k), words - 1));
        return bits.or(select(tileMask.at(word.mul(tiles).add(tile)).ne(0), u32(1).shiftLeft(k), u32(0)));
      });
      return { groupMask };
    },
  );
}
