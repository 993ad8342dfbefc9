import type { Model } from '@gradsim/core';
import { fromRows, layoutOf, toRows } from '@gradsim/render';
import { createFrames, encodePng, readFrames } from '@gradsim/video';

/**
 * Takes recorded `pixels.rgba` through 8-bit PNG files in memory, as if they had been filmed; alpha stays as it is
 * where it is 8 bits too.
 */
export async function through8Bit(model: Model, recorded: Float64Array, frames: number): Promise<Float64Array> {
  const layout = layoutOf(model);
  const { width, height } = layout;
  const perFrame = recorded.length / frames;
  const film = createFrames({ width, height, channels: 4, frameRate: 30 }, frames);
  for (let f = 0; f < frames; f++) {
    const rows = toRows(layout, recorded.slice(f * perFrame, (f + 1) * perFrame), 4);
    film.data.set(rows, f * rows.length);
  }
  const files = await Promise.all(Array.from({ length: frames }, (_, f) => encodePng(film, f)));
  const read = await readFrames(files, { frameRate: 30, channels: 4 });
  const back = new Float64Array(recorded.length);
  for (let f = 0; f < frames; f++) {
    const rows = Float64Array.from(read.data.subarray(f * width * height * 4, (f + 1) * width * height * 4));
    back.set(fromRows(layout, rows, 4), f * perFrame);
  }
  return back;
}
