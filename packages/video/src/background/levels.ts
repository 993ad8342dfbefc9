import { GradsimError } from '@gradsim/base';

import { type Frames, frameAt, frameCount, frameLength } from '../frames/frames.ts';

/** Thresholds for the distance of a pixel's colour from the background's, in the values of the film. */
export interface Levels {
  /** Distance up to which a pixel may be noise. */
  readonly noiseDistance: number;
  /** Typical distance of a pixel fully covered by an object. */
  readonly objectDistance: number;
}

/**
 * Minimum distance of a pixel's colour from the background's that can be an object, in values from 0 to 1: above noise
 * and rounding to 8 bits.
 */
export const MIN_OBJECT_DISTANCE = 0.04;

/**
 * Chooses thresholds from the film itself. Its noise is the 99.5th percentile of the distance over the quieter half of
 * pixels: those whose largest distance over time is below the median. Distances above three times the noise are split
 * by Otsu's method (1979) into blurred edges and objects; `objectDistance` is the median of the latter.
 *
 * @throws GradsimError when no pixel exceeds three times the noise.
 */
export function chooseLevels(distance: Frames): Levels {
  const low = noiseLevel(distance);
  return levelsAboveNoise(low, valuesAbove(distance.data, low));
}

/** Distance up to which a pixel may be noise. @param minNoise least noise. */
export const noiseLevel = (distance: Frames, minNoise = MIN_OBJECT_DISTANCE / 3): number =>
  3 * Math.max(quietNoise(distance), minNoise);

/**
 * Thresholds for the distances above the low one, which are sorted in place.
 *
 * @throws GradsimError when there are none.
 */
export function levelsAboveNoise(low: number, distances: Float32Array): Levels {
  const standing = distances.sort();
  if (standing.length === 0) {
    throw new GradsimError(
      'video/nothing-differs',
      `Nothing in the film differs from the background by more than ${low.toFixed(3)}, three times its noise.`,
      { hint: 'Use a background without the object, or other frames.' },
    );
  }
  const farther = standing.subarray(otsuSplit(standing));
  return { noiseDistance: low, objectDistance: farther[farther.length >> 1] };
}

export function valuesAbove(values: Float32Array, lowerBound: number): Float32Array {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i] > lowerBound) count++;
  const larger = new Float32Array(count);
  for (let i = 0, k = 0; k < count; i++) if (values[i] > lowerBound) larger[k++] = values[i];
  return larger;
}

/** Returns the index that splits sorted values into two parts with maximum variance between them. */
function otsuSplit(sorted: Float32Array): number {
  const total = sorted.reduce((sum, value) => sum + value, 0);
  let best = { split: 0, between: -1 };
  let below = 0;
  for (let split = 1; split < sorted.length; split++) {
    below += sorted[split - 1];
    const gap = below / split - (total - below) / (sorted.length - split);
    const between = split * (sorted.length - split) * gap * gap;
    if (between > best.between) best = { split, between };
  }
  return best.split;
}

function quietNoise(distance: Frames): number {
  const pixels = frameLength(distance);
  const count = frameCount(distance);
  const largest = new Float32Array(pixels);
  for (let f = 0; f < count; f++) {
    const picture = frameAt(distance, f);
    for (let p = 0; p < pixels; p++) if (picture[p] > largest[p]) largest[p] = picture[p];
  }
  const middle = largest.slice().sort()[pixels >> 1];
  const { data } = distance;
  const stride = Math.max(1, Math.floor((pixels * count) / 500_000));
  const quiet = new Float32Array(Math.ceil(data.length / stride));
  let found = 0;
  for (let i = 0; i < data.length; i += stride) if (largest[i % pixels] <= middle) quiet[found++] = data[i];
  const sorted = quiet.subarray(0, found).sort();
  return sorted[Math.floor(0.995 * (sorted.length - 1))];
}
