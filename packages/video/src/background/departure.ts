import { createFrames, type Frames, frameAt, frameCount } from '../frames/frames.ts';
import { runSteps, type WorkSteps } from '../steps.ts';
import { checkBackground } from './check.ts';

/**
 * Euclidean distance of every pixel's colour from the background's (alpha is ignored), in the values of the film.
 *
 * @param options with `shadows`, the distance from the background in shadow, whichever of them is nearest. Default false.
 * @returns one channel; 0 where both are equal, up to sqrt(3) for three colours.
 */
export function colourDistance(
  frames: Frames,
  background: Frames,
  { shadows = false }: { readonly shadows?: boolean } = {},
): Frames {
  return runSteps(distanceSteps(frames, background, { shadows }));
}

/**
 * Range of brightness factors of the background, in stored values, that count as shadow (below 1) or brightening
 * (above).
 */
const SHADOW_FACTORS = [0.5, 1.1] as const;

/**
 * Does the work of {@link colourDistance} in steps; with `shadows`, the distance is that under any shading: the smallest
 * over a common factor of red, green and blue, within `SHADOW_FACTORS`. A film of one channel has no colours by which to
 * recognise a shadow: there it is the plain distance.
 */
export function distanceSteps(
  frames: Frames,
  background: Frames,
  { shadows }: { readonly shadows: boolean },
): WorkSteps<Frames> {
  return distanceTo(frames, background, shadows && frames.channels > 1 ? SHADOW_FACTORS : [1, 1]);
}

type Factors = readonly [darkest: number, brightest: number];

/** Distance of every pixel's colour from the background's times the best factor within a range. */
function* distanceTo(frames: Frames, background: Frames, factors: Factors): WorkSteps<Frames> {
  checkBackground(frames, background);
  const plate = frameAt(background, 0);
  const distance = createFrames({ ...frames, channels: 1 }, frameCount(frames));
  const { channels } = frames;
  const colours = Math.min(channels, 3);
  const pixels = frames.width * frames.height;
  const grounds = new Float64Array(pixels);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const at = pixel * channels;
    for (let c = at; c < at + colours; c++) grounds[pixel] += plate[c] * plate[c];
  }
  for (let f = 0; f < frameCount(frames); f++) {
    const [picture, into] = [frameAt(frames, f), frameAt(distance, f)];
    writeDistances(picture, { plate, grounds, channels }, factors, into);
    yield;
  }
  return distance;
}

function writeDistances(
  picture: Float32Array,
  { plate, grounds, channels }: { plate: Float32Array; grounds: Float64Array; channels: number },
  [darkest, brightest]: Factors,
  into: Float32Array,
): void {
  const colours = Math.min(channels, 3);
  for (let pixel = 0; pixel < into.length; pixel++) {
    const at = pixel * channels;
    let seen = 0;
    for (let c = at; c < at + colours; c++) seen += picture[c] * plate[c];
    const part = Math.min(Math.max(seen / Math.max(grounds[pixel], 1e-6), darkest), brightest);
    let sum = 0;
    for (let c = at; c < at + colours; c++) {
      const away = picture[c] - part * plate[c];
      sum += away * away;
    }
    into[pixel] = Math.sqrt(sum);
  }
}
