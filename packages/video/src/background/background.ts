import { GradsimError, selectSmallest } from '@gradsim/base';

import { createFrames, type Frames, frameAt, frameCount } from '../frames/frames.ts';
import { runSteps, type WorkSteps } from '../steps.ts';
import { findOtherColours, replaceRestingObjects } from './uncovered.ts';

/**
 * Still background of a film: the median over time of every value, which is correct wherever the background is visible
 * in more than half of the frames. Where a thing rests longer, as one that comes to a stop or waits for another to hit it,
 * it is the median of the frames before or after: of the two the one that continues what is beside it. Of a long film,
 * evenly spaced frames are used.
 *
 * @param samples maximum number of frames used. Default 49.
 * @returns one frame.
 *
 * @example
 * const background = medianBackground(film);
 */
export function medianBackground(frames: Frames, samples = MAX_SAMPLES): Frames {
  return runSteps(backgroundSteps(frames, samples));
}

/** Default maximum number of frames of which a background is the median. */
export const MAX_SAMPLES = 49;

/** Number of values between two steps. */
const VALUES_PER_STEP = 1 << 16;

/** Numbers of evenly spaced frames, at most so many as `samples`. */
export function evenlySpacedFrames(count: number, samples: number): number[] {
  const used = Math.min(count, samples);
  return Array.from({ length: used }, (_, i) => Math.floor(((i + 0.5) * count) / used));
}

/**
 * Does the work of {@link medianBackground} in steps, for `runStepsWithPauses`.
 *
 * @param minObjectPixels number of pixels of a thing at rest, 16 unless pixels are coarse.
 */
export function* backgroundSteps(frames: Frames, samples = MAX_SAMPLES, minObjectPixels?: number): WorkSteps<Frames> {
  const background = yield* medianSteps(frames, samples);
  const views = evenlySpacedFrames(frameCount(frames), samples).map((frame) => frameAt(frames, frame));
  const other = createFrames(frames, 1);
  yield* findOtherColours(views, background.data, frames.channels, other.data);
  replaceRestingObjects(background, other, minObjectPixels);
  return background;
}

/** Median over time of every value. */
export function* medianSteps(frames: Frames, samples = MAX_SAMPLES): WorkSteps<Frames> {
  const count = frameCount(frames);
  if (count < 3) {
    throw new GradsimError('video/too-few-frames', `A background needs at least 3 frames, this film has ${count}.`, {
      hint: 'Use a longer part or a clean plate.',
    });
  }
  const views = evenlySpacedFrames(count, samples).map((frame) => frameAt(frames, frame));
  const background = createFrames(frames, 1);
  for (let first = 0; first < background.data.length; first += VALUES_PER_STEP) {
    writeMedians(views, first, background.data.subarray(first, first + VALUES_PER_STEP));
    yield;
  }
  return background;
}

/** Writes the medians of the values from a place on. */
function writeMedians(views: readonly Float32Array[], first: number, into: Float32Array): void {
  const used = views.length;
  const values = new Float32Array(used);
  const [lower, upper] = [(used - 1) >> 1, used >> 1];
  for (let i = 0; i < into.length; i++) {
    for (let k = 0; k < used; k++) values[k] = views[k][first + i];
    selectSmallest(values, lower);
    // Those behind it are not smaller.
    let next = values[lower];
    if (upper > lower) {
      next = values[upper];
      for (let k = upper + 1; k < used; k++) if (values[k] < next) next = values[k];
    }
    into[i] = (values[lower] + next) / 2;
  }
}
