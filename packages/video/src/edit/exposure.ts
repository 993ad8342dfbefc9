import { GradsimError } from '@gradsim/base';

import { createFrames, type Frames, frameCount, frameLength } from '../frames/frames.ts';

/**
 * Simulates an open shutter: replaces each group of `instants` consecutive frames by their mean. Average linear light,
 * not stored values (see {@link toLinear}). The frame rate is divided by `instants`.
 *
 * @example
 * const blurred = averageInstants(toLinear(film240, 'srgb'), 8); // 30 frames a second
 *
 * @throws GradsimError when the number of frames is not a multiple of `instants`.
 */
export function averageInstants(frames: Frames, instants: number): Frames {
  const count = frameCount(frames);
  if (!Number.isInteger(instants) || instants < 1 || count % instants !== 0) {
    throw new GradsimError(
      'video/wrong-size',
      `${count} frames do not divide into runs of ${instants}: render a whole number of instants for each frame.`,
    );
  }
  const exposed = createFrames({ ...frames, frameRate: frames.frameRate / instants }, count / instants);
  const length = frameLength(frames);
  for (let f = 0; f < count; f++) {
    const into = Math.floor(f / instants) * length;
    for (let i = 0; i < length; i++) exposed.data[into + i] += frames.data[f * length + i]! / instants;
  }
  return exposed;
}
