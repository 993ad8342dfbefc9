import type { Strip } from '@gradsim/optim';
import { frameAt, resizeFrames, type Size } from '@gradsim/video';
import type { Film } from '../film.ts';
import { DIRECTIONS } from './reach.ts';

/** Outline to be drawn: its middle, and the distances to its rim in the directions of {@link DIRECTIONS}, px. */
export interface DrawnOutline {
  readonly x: number;
  readonly y: number;
  readonly reaches: ArrayLike<number>;
}

/** Half of the width of a drawn outline, px. */
const HALF_WIDTH = 0.7;
const LINE = [1, 0.1, 0.8];

/** Number of pixels up to which pictures of a strip are as large as the film's; of larger ones several become one. */
const MOST_SHOWN = 1e6;

/** Strip of the first frames of a film, and of these with outlines drawn over them. */
export function drawnStrip(film: Film, count: number, outlinesIn: (frame: number) => readonly DrawnOutline[]): Strip {
  const by = Math.ceil(Math.sqrt((film.size.width * film.size.height) / MOST_SHOWN));
  const [width, height] = [film.size.width, film.size.height].map((side) => Math.round(side / by));
  const frames = [...Array(count).keys()].filter((frame) => film.isCompared(frame));
  const target = (k: number): Float32Array => {
    const picture = frameAt(film.frames, frames[k]);
    const one = { ...film.size, channels: film.frames.channels, frameRate: film.frameRate, data: picture };
    return by === 1 ? picture : resizeFrames(one, { width, height }).data;
  };
  // Used for one picture after another: new ones would collect garbage several times.
  const picture = new Float32Array(3 * width * height);
  const lines: Lines = { width, height, parts: new Map() };
  const estimate = (k: number): Float32Array => {
    picture.set(target(k));
    for (const outline of outlinesIn(frames[k])) draw(outline);
    return picture;

    function draw(outline: DrawnOutline): void {
      const [x, y] = [outline.x / by, outline.y / by];
      const corners = DIRECTIONS.map(([u, v], k): Corner => {
        const reach = outline.reaches[k] / by;
        return [x + reach * u, y + reach * v];
      });
      corners.forEach((corner, k) => {
        cover(lines, corner, corners[(k + 1) % corners.length]);
      });
      for (const [at, part] of lines.parts)
        for (let c = 3 * at; c < 3 * at + 3; c++) picture[c] += part * (LINE[c - 3 * at] - picture[c]);
      lines.parts.clear();
    }
  };
  return { width, height, frames, target, estimate };
}

type Corner = readonly [x: number, y: number];

/** Pixels of a picture that lines cover, with the part of each. */
interface Lines extends Size {
  readonly parts: Map<number, number>;
}

/** Adds the pixels that a line between two points covers, with the larger part where it meets another. */
function cover({ width, height, parts }: Lines, [a, b]: Corner, [c, d]: Corner): void {
  const [u, v] = [c - a, d - b];
  // Of a point if that is 0.
  const square = u * u + v * v || 1;
  const margin = HALF_WIDTH + 1;
  const lastRow = Math.min(height, Math.max(b, d) + margin);
  const lastColumn = Math.min(width, Math.max(a, c) + margin);
  for (let row = Math.max(0, Math.floor(Math.min(b, d) - margin)); row < lastRow; row++)
    for (let column = Math.max(0, Math.floor(Math.min(a, c) - margin)); column < lastColumn; column++) {
      const [right, down] = [column + 0.5 - a, row + 0.5 - b];
      const along = Math.min(Math.max((right * u + down * v) / square, 0), 1);
      const distance = Math.hypot(right - along * u, down - along * v);
      const part = Math.min(HALF_WIDTH + 0.5 - distance, 1);
      const at = row * width + column;
      if (part > (parts.get(at) ?? 0)) parts.set(at, part);
    }
}
