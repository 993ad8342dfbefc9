import type { Bool, Kernel, U32 } from '@gradsim/core';
import { forRange, kernel, min, on, select, u32 } from '@gradsim/core';
import { TILE } from '@gradsim/render';
import type { RasterShape } from './scene.ts';
import { maskSizes, WORD } from './scene.ts';

/*
 * Which faces touch a tile is the intersection of which touch its tile row and which touch its tile column, so two
 * short lists of bit masks say it for all tiles: no list can overflow, and no face is ever dropped. A third, one
 * bit for 32 faces, lets a pixel pass over the masks that are empty for its tile.
 */

/** One bit for each of 32 faces: whether it touches the tile row (`rowMask`, over `rowWords`). */
export function rowBins(shape: RasterShape): Kernel {
  return kernel(
    'rowBins',
    {
      domain: 'rowWords',
      reads: { firstRow: on('viewFaces', u32), endRow: on('viewFaces', u32) },
      writes: { rowMask: u32 },
    },
    ({ firstRow, endRow }, { element }) => ({
      rowMask: maskOf(shape, element, shape.layout.tilesY, (face, from) =>
        firstRow.at(face).lt(from.add(TILE)).and(endRow.at(face).gt(from)),
      ),
    }),
  );
}

/** One bit for each of 32 faces: whether it touches the tile column (`columnMask`, over `columnWords`). */
export function columnBins(shape: RasterShape): Kernel {
  return kernel(
    'columnBins',
    {
      domain: 'columnWords',
      reads: { firstColumn: on('viewFaces', u32), endColumn: on('viewFaces', u32) },
      writes: { columnMask: u32 },
    },
    ({ firstColumn, endColumn }, { element }) => ({
      columnMask: maskOf(shape, element, shape.layout.tilesX, (face, from) =>
        firstColumn.at(face).lt(from.add(TILE)).and(endColumn.at(face).gt(from)),
      ),
    }),
  );
}

/** Element `(camera * words + word) * strips + strip` asks for the faces of a word that touch a strip of tiles. */
function maskOf(
  shape: RasterShape,
  element: U32,
  strips: number,
  touches: (face: U32, firstPixel: U32) => Bool,
): U32 {
  const { words } = maskSizes(shape);
  const cameraWord = element.div(strips);
  const firstPixel = element.sub(cameraWord.mul(strips)).mul(TILE);
  const camera = cameraWord.div(words);
  const firstFace = cameraWord.sub(camera.mul(words)).mul(WORD);
  const count = min(u32(shape.faces).sub(firstFace), u32(WORD));
  const base = camera.mul(shape.faces).add(firstFace);
  return forRange(0, count, u32(0), (k, mask) =>
    mask.or(select(touches(base.add(k), firstPixel), u32(1).shiftLeft(k), u32(0))),
  );
}

/** One bit for each of 32 words: whether any of its faces may touch the tile (`groupMask`, over `tileGroups`). */
export function groupBins(shape: RasterShape): Kernel {
  const { layout } = shape;
  const { words, groups } = maskSizes(shape);
  return kernel(
    'groupBins',
    {
      domain: 'tileGroups',
      reads: { rowMask: on('rowWords', u32), columnMask: on('columnWords', u32) },
      writes: { groupMask: u32 },
    },
    ({ rowMask, columnMask }, { element }) => {
      const strip = element.div(layout.tilesX);
      const tileX = element.sub(strip.mul(layout.tilesX));
      const cameraGroup = strip.div(layout.tilesY);
      const tileY = strip.sub(cameraGroup.mul(layout.tilesY));
      const camera = cameraGroup.div(groups);
      const firstWord = cameraGroup.sub(camera.mul(groups)).mul(WORD);
      const count = min(u32(words).sub(firstWord), u32(WORD));
      const base = camera.mul(words).add(firstWord);
      const groupMask = forRange(0, count, u32(0), (k, mask) => {
        const word = base.add(k);
        const rows = rowMask.at(word.mul(layout.tilesY).add(tileY));
        const columns = columnMask.at(word.mul(layout.tilesX).add(tileX));
        return mask.or(select(rows.and(columns).ne(0), u32(1).shiftLeft(k), u32(0)));
      });
      return { groupMask };
    },
  );
}
