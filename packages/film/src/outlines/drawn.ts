import type { Strip } from '@gradsim/optim';
import { frameAt, resizeFrames } from '@gradsim/video';
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
  const estimate = (k: number): Float32Array => {
    picture.set(target(k));
    for (const outline of outlinesIn(frames[k])) draw(outline);
    return picture;

    function draw(outline: DrawnOutline): void {
      const [x, y] = [outline.x / by, outline.y / by];
      const reaches = Array.from(outline.reaches, (reach) => reach / by);
      const edges = edgesOf(DIRECTIONS.map(([u, v], k) => [x + reaches[k] * u, y + reaches[k] * v]));
      const reach = Math.max(...reaches) + 2;
      // No side of the line is nearer to the middle than this, the directions being evenly spaced.
      const inside = Math.max(0, Math.min(...reaches) * Math.cos(Math.PI / DIRECTIONS.length) - HALF_WIDTH - 1) ** 2;
      for (let row = Math.max(0, Math.floor(y - reach)); row < Math.min(height, y + reach); row++)
        for (let column = Math.max(0, Math.floor(x - reach)); column < Math.min(width, x + reach); column++) {
          const square = (column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2;
          if (square < inside || square > reach * reach) continue;
          const part = Math.min(Math.max(HALF_WIDTH + 0.5 - awayFrom(edges, column + 0.5, row + 0.5), 0), 1);
          if (part === 0) continue;
          const at = 3 * (row * width + column);
          for (let c = 0; c < 3; c++) picture[at + c] += part * (LINE[c] - picture[at + c]);
        }
    }
  };
  return { width, height, frames, target, estimate };
}

/** Edges of a closed polygon: where each begins, its extent, and the square of its length, 1 if that is 0. */
const edgesOf = (corners: readonly (readonly number[])[]): Float64Array =>
  Float64Array.from(
    corners.flatMap(([x, y], k) => {
      const [right, down] = corners[(k + 1) % corners.length];
      const [u, v] = [right - x, down - y];
      return [x, y, u, v, u * u + v * v || 1];
    }),
  );

/** Distance of a point from the nearest edge of a closed polygon, px. */
function awayFrom(edges: Float64Array, x: number, y: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (let k = 0; k < edges.length; k += 5) {
    const [a, b, u, v] = [edges[k], edges[k + 1], edges[k + 2], edges[k + 3]];
    const along = ((x - a) * u + (y - b) * v) / edges[k + 4];
    const part = Math.min(Math.max(along, 0), 1);
    const right = x - a - part * u;
    const down = y - b - part * v;
    nearest = Math.min(nearest, right * right + down * down);
  }
  return Math.sqrt(nearest);
}
