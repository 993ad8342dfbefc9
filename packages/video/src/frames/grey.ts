import { luminance } from './color.ts';
import { type Frames, frameAt } from './frames.ts';

/** Brightness of a picture, row by row from the top. */
export interface Grey {
  readonly values: Float32Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the brightness of a frame: luminance weights of its stored colours, or the value of a film of one channel.
 */
export function greyOf(frames: Frames, index: number): Grey {
  const picture = frameAt(frames, index);
  const { width, height, channels } = frames;
  if (channels === 1) return { values: picture, width, height };
  const values = new Float32Array(picture.length / channels);
  for (let p = 0, i = 0; p < values.length; p++, i += channels) {
    values[p] = luminance[0] * picture[i] + luminance[1] * picture[i + 1] + luminance[2] * picture[i + 2];
  }
  return { values, width, height };
}

/**
 * Interpolates bilinearly at a position in pixels; whole numbers are centres of pixels. Beyond the border, the
 * outermost pixels are extended.
 */
export function sampleAt({ values, width, height }: Grey, x: number, y: number): number {
  const left = Math.min(Math.max(Math.floor(x), 0), width - 2);
  const top = Math.min(Math.max(Math.floor(y), 0), height - 2);
  const [wx, wy] = [Math.min(Math.max(x - left, 0), 1), Math.min(Math.max(y - top, 0), 1)];
  const i = top * width + left;
  const above = interpolate(values[i], values[i + 1], wx);
  const below = interpolate(values[i + width], values[i + width + 1], wx);
  return interpolate(above, below, wy);
}

function interpolate(a: number, b: number, weight: number): number {
  return a + weight * (b - a);
}
