import { outlineCentroidAndSize } from '@gradsim/film';
import type { Estimate, Strip } from '@gradsim/optim';
import { cropFrames, cutFrames } from '@gradsim/video';
import type { Footage } from './footage.ts';
import { HALF_SIZE } from './footage.ts';
import { LEAD_FRAMES } from './parameters.ts';

/** Size of the window around the ball that the report shows, px of the half-size picture. */
const WINDOW = { width: 32, height: 48 };
const LINE = [1, 0.1, 0.8];
/** Half of the width of the drawn outline, px. */
const HALF_WIDTH = 0.5;

/**
 * Film strip for the report: windows of the pictures around the ball, and the same windows with the estimated outline.
 */
export function strip({ stabilised, seen }: Footage, { predicted }: Estimate): Strip {
  const frames = [...seen.keys()].filter((frame) => seen[frame]);
  const cornerOf = (frame: number): { x: number; y: number } => {
    const { x, y } = seen[frame]!;
    return { x: within(x, 'width'), y: within(y, 'height') };
  };
  const target = (k: number): Float32Array => {
    const frame = cutFrames(stabilised, { first: frames[k], last: frames[k] });
    return cropFrames(frame, { ...cornerOf(frames[k]), ...WINDOW }).data;
  };
  const estimate = (k: number): Float32Array => {
    const corner = cornerOf(frames[k]);
    const [u, v, size] = predicted[outlineCentroidAndSize.key].slice(3 * (LEAD_FRAMES + frames[k]));
    return target(k).map((value, at) => {
      const pixel = Math.floor(at / 3);
      const away = Math.hypot(
        corner.x + (pixel % WINDOW.width) + 0.5 - u,
        corner.y + Math.floor(pixel / WINDOW.width) + 0.5 - v,
      );
      const part = Math.min(Math.max(HALF_WIDTH + 0.5 - Math.abs(away - size), 0), 1);
      return value + part * (LINE[at % 3] - value);
    });
  };
  return { ...WINDOW, frames: frames.map((frame) => frame + LEAD_FRAMES), target, estimate };
}

/** First column or row of a window centred at a position, clamped to the picture. */
const within = (middle: number, side: 'width' | 'height'): number =>
  Math.min(Math.max(Math.round(middle - WINDOW[side] / 2), 0), HALF_SIZE[side] - WINDOW[side]);
