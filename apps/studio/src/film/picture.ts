import type { Pictures } from '../work/film-messages.ts';

/** Picture of a frame, by its number in the file; of the nearest one that is there. */
export function pictureOf({ first, width, height, count, rgba }: Pictures, frame: number): ImageData {
  const length = 4 * width * height;
  const k = Math.min(Math.max(frame - first, 0), count - 1);
  return new ImageData(rgba.subarray(k * length, (k + 1) * length), width, height);
}
