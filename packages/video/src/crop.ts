import { createFrames, type Frames, frameCount } from './frames.ts';
import { checkRegion, type Region } from './region.ts';

/**
 * A part of every picture.
 *
 * @example
 * const left = cropFrames(film, { x: 0, y: 0, width: 32, height: 48 });
 *
 * @throws VideoError when the region is not whole pixels inside the picture.
 */
export function cropFrames(frames: Frames, region: Region): Frames {
  checkRegion(region, frames.width, frames.height, 'cropFrames');
  const count = frameCount(frames);
  const cropped = createFrames({ ...frames, width: region.width, height: region.height }, count);
  const row = region.width * frames.channels;
  for (let f = 0; f < count; f++) {
    for (let y = 0; y < region.height; y++) {
      const from = ((f * frames.height + region.y + y) * frames.width + region.x) * frames.channels;
      cropped.data.set(frames.data.subarray(from, from + row), (f * region.height + y) * row);
    }
  }
  return cropped;
}
