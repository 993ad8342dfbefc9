import { createFrames, type Frames, frameAt, frameCount, frameLength } from '../frames/frames.ts';
import type { Size } from '../frames/size.ts';

export type { Size };

/**
 * Resizes a film. Each new pixel is the average of the old pixels under it, weighted by the area that they share, which
 * keeps the mean of the picture; enlarging repeats pixels.
 *
 * @example
 * const small = resizeFrames(film, { width: 64, height: 64 });
 */
export function resizeFrames(frames: Frames, size: Size): Frames {
  const count = frameCount(frames);
  const { width, height } = size;
  const resized = createFrames({ ...frames, width, height }, count);
  const resize = areaResizer(frames, size, frames.channels);
  const length = frameLength(resized);
  for (let f = 0; f < count; f++) {
    resize(frameAt(frames, f), resized.data.subarray(f * length, (f + 1) * length));
  }
  return resized;
}

/** Creates a function that resizes pictures of one shape into a given array, and reuses its scratch memory. */
export function areaResizer(
  from: Size,
  to: Size,
  channels: number,
): (source: Float32Array, target: Float32Array) => void {
  if (from.width === to.width && from.height === to.height) {
    return (source, target) => target.set(source);
  }
  const across = overlaps(from.width, to.width);
  const down = overlaps(from.height, to.height);
  const rows = new Float64Array(to.width * from.height * channels);
  return (source, target) => {
    average(source, rows, across, { lines: from.height, from: from.width, to: to.width, step: channels });
    average(rows, target, down, { lines: 1, from: from.height, to: to.height, step: to.width * channels });
  };
}

/**
 * Old pixels that a new pixel overlaps along one axis: the first of them, and weights of it and the following ones,
 * which sum to 1.
 */
interface Overlap {
  start: number;
  weights: Float64Array;
}

function overlaps(from: number, to: number): Overlap[] {
  const scale = from / to;
  return Array.from({ length: to }, (_, i) => {
    const begin = i * scale;
    const end = Math.min((i + 1) * scale, from);
    const start = Math.floor(begin);
    const count = Math.max(1, Math.ceil(end - 1e-9) - start);
    const weights = Float64Array.from({ length: count }, (_, k) => {
      const shared = Math.min(end, start + k + 1) - Math.max(begin, start + k);
      return Math.max(0, shared) / (end - begin);
    });
    return { start, weights };
  });
}

/**
 * Resizes along one axis: `lines` independent lines, each of `from` groups of `step` numbers, which become `to` groups.
 */
function average(
  source: Float32Array | Float64Array,
  target: Float32Array | Float64Array,
  axis: Overlap[],
  { lines, from, to, step }: { lines: number; from: number; to: number; step: number },
): void {
  for (let line = 0; line < lines; line++) {
    for (let i = 0; i < to; i++) {
      const { start, weights } = axis[i]!;
      const into = (line * to + i) * step;
      const first = (line * from + start) * step;
      for (let s = 0; s < step; s++) {
        let sum = 0;
        for (let k = 0, at = first + s; k < weights.length; k++, at += step) sum += weights[k]! * source[at]!;
        target[into + s] = sum;
      }
    }
  }
}
