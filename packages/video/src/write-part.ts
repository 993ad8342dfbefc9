import { createFrames, type Frames, frameAt, frameCount } from './frames.ts';
import type { Region } from './region.ts';
import { TiledFrames } from './tiled.ts';

/** Creates masks for a film, one channel of zeros, in tiles if the film is. */
export function emptyMasks(frames: Frames): Frames {
  if (!(frames instanceof TiledFrames)) return createFrames({ ...frames, channels: 1 }, frameCount(frames));
  const { width, height, frameRate, count, tile } = frames;
  return new TiledFrames({ width, height, channels: 1, frameRate, count, tile }, new Float32Array(width * height));
}

/** Writes a region of a frame of masks; beyond it the frame must be 0. */
export function writePart(masks: Frames, frame: number, region: Region, values: Float32Array): void {
  if (masks instanceof TiledFrames) {
    masks.storeRegion(frame, region, values);
    return;
  }
  const mask = frameAt(masks, frame);
  for (let y = 0; y < region.height; y++)
    mask.set(values.subarray(y * region.width, (y + 1) * region.width), (region.y + y) * masks.width + region.x);
}
