import { createFrames, type Frames, frameAt, frameCount } from '../frames/frames.ts';
import type { Region } from '../frames/region.ts';
import { TiledFrames } from '../frames/tiled.ts';
import type { WorkSteps } from '../steps.ts';

/** Creates masks for a film, one channel of one value, in tiles if the film is. */
export function masksOf(frames: Frames, value: 0 | 1): Frames {
  if (frames instanceof TiledFrames) {
    const { width, height, frameRate, count, tile, levels } = frames;
    const shape = { width, height, channels: 1 as const, frameRate, count, tile, levels };
    return new TiledFrames(shape, new Float32Array(width * height).fill(value));
  }
  const masks = createFrames({ ...frames, channels: 1 }, frameCount(frames));
  if (value !== 0) masks.data.fill(value);
  return masks;
}

/** Writes a region of a frame of new masks. */
export function writePart(masks: Frames, frame: number, region: Region, values: Float32Array): void {
  if (masks instanceof TiledFrames) {
    masks.storeRegion(frame, region, values);
    return;
  }
  const mask = frameAt(masks, frame);
  for (let y = 0; y < region.height; y++)
    mask.set(values.subarray(y * region.width, (y + 1) * region.width), (region.y + y) * masks.width + region.x);
}

/**
 * Replaces the picture of every frame of masks.
 * @param change returns the new picture of a frame, from the one before, which it does not write to.
 */
export function* changeMasks(
  masks: Frames,
  change: (picture: Float32Array, frame: number) => Float32Array,
): WorkSteps<Frames> {
  const changed = masks instanceof TiledFrames ? masks.withoutTiles() : masksOf(masks, 0);
  const whole = { x: 0, y: 0, width: masks.width, height: masks.height };
  for (let f = 0; f < frameCount(masks); f++) {
    writePart(changed, f, whole, change(frameAt(masks, f), f));
    yield;
  }
  return changed;
}
