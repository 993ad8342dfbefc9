import { GradsimError } from '@gradsim/base';

import type { Frames } from '../frames/frames.ts';

/**
 * Checks that a background has the width, height and number of channels of the film.
 *
 * @throws GradsimError with both shapes when it has not.
 */
export function checkBackground(frames: Frames, background: Frames): void {
  const shape = (f: Frames) => `${f.width} x ${f.height} x ${f.channels}`;
  if (shape(background) !== shape(frames)) {
    throw new GradsimError(
      'video/other-shape',
      `The background is ${shape(background)} (width, height, channels), the film ${shape(frames)}.`,
      { hint: 'Read both with the same crop, size and channels.' },
    );
  }
}
