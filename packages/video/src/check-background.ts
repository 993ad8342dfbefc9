import { VideoError } from './errors.ts';
import type { Frames } from './frames.ts';

/**
 * Refuses a background of another width, height or number of channels than the film.
 *
 * @throws VideoError with both shapes.
 */
export function checkBackground(frames: Frames, background: Frames): void {
  const shape = (f: Frames) => `${f.width} x ${f.height} x ${f.channels}`;
  if (shape(background) !== shape(frames)) {
    throw new VideoError(
      `The background is ${shape(background)} (width, height, channels), the film ${shape(frames)}: read both with ` +
        'the same crop, size and channels.',
    );
  }
}
