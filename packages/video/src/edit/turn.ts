import { GradsimError } from '@gradsim/base';

import { createFrames, type Frames, frameCount } from '../frames/frames.ts';
import type { QuarterTurn } from '../frames/upright.ts';
import { storedPosition } from '../frames/upright.ts';

/**
 * Rotates a film clockwise, for one that lies on its side and whose file has no rotation tag.
 *
 * @example
 * const upright = turnFrames(film, 90);
 *
 * @throws GradsimError for another angle than 0, 90, 180 or 270 degrees.
 */
export function turnFrames(frames: Frames, degrees: QuarterTurn): Frames {
  if (degrees === 0) return frames;
  if (![90, 180, 270].includes(degrees))
    throw new GradsimError(
      'video/option-out-of-range',
      `turnFrames turns by 0, 90, 180 or 270 degrees, not by ${degrees}.`,
    );
  const { width, height, channels } = frames;
  const count = frameCount(frames);
  const size = degrees === 180 ? { width, height } : { width: height, height: width };
  const turned = createFrames({ ...frames, ...size }, count);
  const at = storedPosition(degrees, width, height);
  let o = 0;
  for (let f = 0; f < count; f++) {
    for (let y = 0; y < size.height; y++) {
      for (let x = 0; x < size.width; x++) {
        const column = at.columnAt + x * at.columnByX + y * at.columnByY;
        const row = at.rowAt + x * at.rowByX + y * at.rowByY;
        const from = ((f * height + row) * width + column) * channels;
        for (let c = 0; c < channels; c++) turned.data[o++] = frames.data[from + c];
      }
    }
  }
  return turned;
}
