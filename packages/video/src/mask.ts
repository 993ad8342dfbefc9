import { checkBackground } from './check-background.ts';
import { VideoError } from './errors.ts';
import { createFrames, type Frames, frameAt, frameCount, frameLength } from './frames.ts';

/** Distances at which a soft mask begins and ends: 0 up to `low`, 1 from `high` on, smoothstep between. */
export interface Thresholds {
  low: number;
  high: number;
}

/**
 * Soft masks of what differs from a still background: colour distance (root of the summed squares over colours, in
 * units of values) through a smoothstep between two thresholds.
 *
 * @param background one frame of the same size, from {@link medianBackground} or a clean plate.
 * @param thresholds default: from the film, by {@link chooseThresholds}.
 * @returns one channel, 0 background, 1 foreground.
 *
 * @example
 * const masks = foregroundMasks(film, medianBackground(film));
 *
 * @throws VideoError when the background has another size or thresholds are not 0 <= low < high.
 */
export function foregroundMasks(frames: Frames, background: Frames, thresholds?: Thresholds): Frames {
  const distance = colourDistance(frames, background);
  return thresholdMasks(distance, thresholds ?? chooseThresholds(distance));
}

/**
 * How far every pixel is from the background, over the colours (alpha is not looked at).
 *
 * @returns one channel; 0 is the background, values can exceed 1.
 */
export function colourDistance(frames: Frames, background: Frames): Frames {
  checkBackground(frames, background);
  const plate = frameAt(background, 0);
  const count = frameCount(frames);
  const distance = createFrames({ ...frames, channels: 1 }, count);
  const { channels } = frames;
  const colours = Math.min(channels, 3);
  const length = frameLength(frames);
  for (let i = 0; i < distance.data.length; i++) {
    const at = i * channels;
    let sum = 0;
    for (let c = 0; c < colours; c++) {
      const difference = frames.data[at + c] - plate[(at + c) % length];
      sum += difference * difference;
    }
    distance.data[i] = Math.sqrt(sum);
  }
  return distance;
}

/** Distances as masks in [0, 1]. */
export function thresholdMasks(distance: Frames, { low, high }: Thresholds): Frames {
  if (!(low >= 0 && high > low && Number.isFinite(high))) {
    throw new VideoError(`Mask thresholds must be 0 <= low < high, not low ${low}, high ${high}.`);
  }
  const data = distance.data.map((d) => {
    const t = Math.min(Math.max((d - low) / (high - low), 0), 1);
    return t * t * (3 - 2 * t);
  });
  return { ...distance, data };
}

/** Smallest distance at which a pixel is taken for foreground when thresholds are chosen: 8 bit noise and rounding. */
const faintest = 0.04;

/**
 * Thresholds from the film itself. The noise is the distance that 99.5 % of the quieter half of pixels, those whose
 * largest distance over time is below the median, stay under. What stands out of three times that is split in two
 * by Otsu's method (1979), shadows and moved edges from the object, whose distance is the median of the farther part.
 * `low` lies above the noise and `high` as far below the object's distance, so that a pixel half covered by the
 * object has a mask of about 1/2 and edges are not moved.
 *
 * @throws VideoError when nothing stands out from the noise.
 */
export function chooseThresholds(distance: Frames): Thresholds {
  const noise = Math.max(quietNoise(distance), faintest / 3);
  const standing = distance.data.filter((d) => d > 3 * noise).sort();
  if (standing.length === 0) {
    throw new VideoError(
      `Nothing in the film differs from the background by more than ${(3 * noise).toFixed(3)}, three times its ` +
        'noise: use a clean plate without the object, or give thresholds.',
    );
  }
  const farther = standing.subarray(otsuSplit(standing));
  const object = farther[farther.length >> 1];
  const low = Math.max(1.5 * noise, 0.15 * object);
  return { low, high: object - low };
}

/** Where to cut sorted values in two so that the variance between the parts is largest. */
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
  for (let i = 0; i < distance.data.length; i++) {
    largest[i % pixels] = Math.max(largest[i % pixels], distance.data[i]);
  }
  const middle = largest.slice().sort()[pixels >> 1];
  const quiet: number[] = [];
  const stride = Math.max(1, Math.floor((pixels * count) / 500_000));
  for (let i = 0; i < distance.data.length; i += stride) {
    if (largest[i % pixels] <= middle) quiet.push(distance.data[i]);
  }
  const sorted = Float32Array.from(quiet).sort();
  return sorted[Math.floor(0.995 * (sorted.length - 1))];
}
