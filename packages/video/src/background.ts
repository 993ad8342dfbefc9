import { VideoError } from './errors.ts';
import { createFrames, type Frames, frameAt, frameCount, frameLength } from './frames.ts';

/**
 * The still background of a film: the median over time of every value, which is right wherever the background shows
 * in more than half of the frames. Long films are sampled evenly, as a median needs no more.
 *
 * @param samples at most so many frames are used. Default 49.
 * @returns one frame.
 *
 * @example
 * const background = medianBackground(film);
 */
export function medianBackground(frames: Frames, samples = 49): Frames {
  const count = frameCount(frames);
  if (count < 3) {
    throw new VideoError(
      `A background needs at least 3 frames, this film has ${count}: use a longer part or a clean plate.`,
    );
  }
  const used = Math.min(count, samples);
  const views = Array.from({ length: used }, (_, i) => frameAt(frames, Math.floor(((i + 0.5) * count) / used)));
  const background = createFrames(frames, 1);
  const values = new Float32Array(used);
  for (let i = 0; i < frameLength(frames); i++) {
    for (let k = 0; k < used; k++) values[k] = views[k][i];
    values.sort();
    background.data[i] = (values[(used - 1) >> 1] + values[used >> 1]) / 2;
  }
  return background;
}
