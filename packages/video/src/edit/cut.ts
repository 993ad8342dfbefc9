import { GradsimError, refuseUnknownOptions } from '@gradsim/base';

import { createFrames, type Frames, frameAt, frameCount, frameLength } from '../frames/frames.ts';

/** Range of frame numbers; 0 is the first frame shown. */
export interface FrameRange {
  /** Number of the first frame. Default 0. */
  first?: number;
  /** Number of the last frame, inclusive. Default: the film's last frame. */
  last?: number;
  /** Step between frames of the range; the film's frame rate is divided by it. Default 1. */
  every?: number;
}

/**
 * Returns the frame numbers in a range.
 *
 * @throws GradsimError when the range exceeds the frames of the film, with their number.
 */
export function framesInRange(range: FrameRange, count: number, label: string): number[] {
  const { first = 0, last = count - 1, every = 1 } = range;
  if (Number.isInteger(first) && first >= count && range.last === undefined)
    throw new GradsimError(
      'video/no-such-frame',
      `${label} has ${count} frames, 0 to ${count - 1}, but frames from ${first} on were asked for.`,
    );
  if (![first, last, every].every(Number.isInteger) || first < 0 || every < 1 || last < first) {
    throw new GradsimError(
      'video/frame-range',
      `${label}: frames ${first} to ${last}, every ${every}, is not a range.`,
      { hint: 'Use whole numbers with 0 <= first <= last and every >= 1.' },
    );
  }
  if (last >= count) {
    throw new GradsimError(
      'video/no-such-frame',
      `${label} has ${count} frames, 0 to ${count - 1}, but frames ${first} to ${last} were asked for.`,
    );
  }
  return Array.from({ length: Math.floor((last - first) / every) + 1 }, (_, i) => first + i * every);
}

/**
 * Returns the frames of a range as a new film.
 *
 * @example
 * const fall = cutFrames(film, { first: 118, last: 201 });
 */
export function cutFrames(frames: Frames, range: FrameRange): Frames {
  refuseUnknownOptions('cutFrames', range, { first: true, last: true, every: true });
  const indices = framesInRange(range, frameCount(frames), 'The film');
  const { times, frameRate } = frames;
  const clock = {
    frameRate: frameRate / (range.every ?? 1),
    ...(times ? { times: indices.map((index) => times[index] - times[indices[0]]) } : {}),
  };
  const cut = createFrames({ ...frames, ...clock }, indices.length);
  indices.forEach((index, i) => {
    cut.data.set(frameAt(frames, index), i * frameLength(frames));
  });
  return cut;
}
