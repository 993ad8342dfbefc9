import { checkBackground } from './check-background.ts';
import { createFrames, type Frames, frameAt, frameCount } from './frames.ts';

/**
 * Distance of every pixel from the background, over the colours (alpha is ignored).
 *
 * @returns one channel; 0 is the background, values can exceed 1.
 */
export function colourDistance(frames: Frames, background: Frames): Frames {
  return distanceTo(frames, background, () => 1);
}

/** Range of factors of the stored background that count as shadow and brightening. */
const SHADOW = [0.5, 1.1] as const;

/**
 * Distance of every pixel from the background under any shading: a grey shadow multiplies red, green and blue by one
 * factor. A film of one channel has no colours by which to recognise a shadow: there it is the plain distance.
 */
export function departure(frames: Frames, background: Frames): Frames {
  if (frames.channels === 1) return colourDistance(frames, background);
  return distanceTo(frames, background, (seen, ground) =>
    Math.min(Math.max(seen / Math.max(ground, 1e-6), SHADOW[0]), SHADOW[1]),
  );
}

/** @param factor of the background, from its product with what is seen and with itself. */
function distanceTo(frames: Frames, background: Frames, factor: (seen: number, ground: number) => number): Frames {
  checkBackground(frames, background);
  const plate = frameAt(background, 0);
  const distance = createFrames({ ...frames, channels: 1 }, frameCount(frames));
  const { channels } = frames;
  const colours = Math.min(channels, 3);
  const pixels = frames.width * frames.height;
  for (let f = 0; f < frameCount(frames); f++) {
    const [picture, into] = [frameAt(frames, f), frameAt(distance, f)];
    for (let pixel = 0; pixel < pixels; pixel++) {
      const at = pixel * channels;
      let [seen, ground] = [0, 0];
      for (let c = at; c < at + colours; c++) {
        seen += picture[c] * plate[c];
        ground += plate[c] * plate[c];
      }
      const part = factor(seen, ground);
      let sum = 0;
      for (let c = at; c < at + colours; c++) sum += (picture[c] - part * plate[c]) ** 2;
      into[pixel] = Math.sqrt(sum);
    }
  }
  return distance;
}
