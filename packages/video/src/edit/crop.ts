import { createFrames, type Frames, frameAt, frameCount, frameLength } from '../frames/frames.ts';
import { copyRegion } from '../frames/patches.ts';
import { checkRegion, type Region } from '../frames/region.ts';

/**
 * Crops every picture to a region.
 *
 * @example
 * const left = cropFrames(film, { x: 0, y: 0, width: 32, height: 48 });
 *
 * @throws GradsimError when the region is not whole pixels inside the picture.
 */
export function cropFrames(frames: Frames, region: Region): Frames {
  checkRegion(region, frames.width, frames.height, 'cropFrames');
  const count = frameCount(frames);
  const cropped = createFrames({ ...frames, width: region.width, height: region.height }, count);
  const length = frameLength(cropped);
  for (let f = 0; f < count; f++)
    cropped.data.set(copyRegion(frameAt(frames, f), frames, region, frames.channels), f * length);
  return cropped;
}
