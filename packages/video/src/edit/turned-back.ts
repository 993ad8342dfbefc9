import type { Region } from '../frames/region.ts';
import type { QuarterTurn } from '../frames/upright.ts';
import { storedPosition } from '../frames/upright.ts';
import type { PictureReader } from '../source/footage.ts';
import type { Size } from './resize.ts';

/** Region of a picture before it was turned clockwise. @param storedSize size of that picture. */
export function regionBeforeTurn({ x, y, width, height }: Region, degrees: QuarterTurn, storedSize: Size): Region {
  if (degrees === 90) return { x: y, y: storedSize.height - x - width, width: height, height: width };
  if (degrees === 180) return { x: storedSize.width - x - width, y: storedSize.height - y - height, width, height };
  if (degrees === 270) return { x: storedSize.width - y - height, y: x, width: height, height: width };
  return { x, y, width, height };
}

/** Reader of the picture turned clockwise. @param storedSize size of the picture that `read` reads. */
export function turnedReader(read: PictureReader, degrees: QuarterTurn, storedSize: Size): PictureReader {
  if (degrees === 0) return read;
  let scratch = new Float32Array();
  return (region, into) => {
    const from = regionBeforeTurn(region, degrees, storedSize);
    if (scratch.length < 4 * from.width * from.height) scratch = new Float32Array(4 * from.width * from.height);
    read(from, scratch);
    const at = storedPosition(degrees, from.width, from.height);
    for (let y = 0, o = 0; y < region.height; y++)
      for (let x = 0; x < region.width; x++, o += 4) {
        const column = at.columnAt + x * at.columnByX + y * at.columnByY;
        const row = at.rowAt + x * at.rowByX + y * at.rowByY;
        const i = 4 * (row * from.width + column);
        for (let c = 0; c < 4; c++) into[o + c] = scratch[i + c];
      }
  };
}
