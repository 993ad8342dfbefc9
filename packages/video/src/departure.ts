import { checkBackground } from './check-background.ts';
import { createFrames, type Frames, frameAt, frameCount } from './frames.ts';

/**
 * Distance of every pixel from the background, over the colours (alpha is ignored).
 *
 * @returns one channel; 0 is the background, values can exceed 1.
 */
export function colourDistance(frames: Frames, background: Frames): Frames {
  return distanceTo(frames, background, [1, 1]);
}

/** Range of factors of the stored background that count as shadow and brightening. */
const SHADOW = [0.5, 1.1] as const;

/**
 * Distance of every pixel from the background under any shading: a grey shadow multiplies red, green and blue by one
 * factor. A film of one channel has no colours by which to recognise a shadow: there it is the plain distance.
 */
export function departure(frames: Frames, background: Frames): Frames {
  return distanceTo(frames, background, frames.channels === 1 ? [1, 1] : SHADOW);
}

/** Distance from the background times the factor within a range that comes nearest. */
function distanceTo(frames: Frames, background: Frames, [darkest, brightest]: readonly [number, number]): Frames {
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
    for (let pixel = 0; pixel < pixels; pixel++) {
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
  return distance;
}
