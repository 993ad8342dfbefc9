import type { Point2 } from './camera.ts';
import type { Corner } from './corners.ts';

/** A neighbour may be found so far from where it is expected, in parts of the step to it. */
const OFF = 0.35;
/** Grids are begun at so many corners. */
const SEEDS = 60;

interface Grid {
  /** Numbers of corners by place, "i,j". */
  readonly places: Map<string, number>;
}

/**
 * The corners of a board of so many columns and rows among all that were found, row by row; along a row and then along a column is a turn to the right in
 * the picture, as x and y are.
 * @returns nothing where there is no such grid.
 */
export function gridOf(corners: readonly Corner[], columns: number, rows: number): Point2[] | undefined {
  if (corners.length < columns * rows) return undefined;
  const points = corners.map(({ at }) => at);
  for (const seed of spread(points)) {
    const grid = grown(points, seed);
    if (!grid || grid.places.size < columns * rows) continue;
    const found = rectangleIn(grid, columns, rows) ?? rectangleIn(turned(grid), columns, rows);
    if (found) return found.map((k) => points[k]);
  }
  return undefined;
}

/** Corners in an order that begins in the middle of all: where a board is, they are many. */
function spread(points: readonly Point2[]): number[] {
  const [x, y] = [0, 1].map((c) => points.map((p) => p[c]).sort((a, b) => a - b)[points.length >> 1]);
  const away = (k: number): number => Math.hypot(points[k][0] - x, points[k][1] - y);
  return [...points.keys()].sort((a, b) => away(a) - away(b)).slice(0, SEEDS);
}

/** Two neighbours of a corner about at right angles, then neighbours of neighbours, each where the step before leads. */
function grown(points: readonly Point2[], seed: number): Grid | undefined {
  const first = firstSteps(points, seed);
  if (!first) return undefined;
  const places = new Map<string, number>([['0,0', seed]]);
  const taken = new Set([seed]);
  const queue: { i: number; j: number; steps: readonly [Point2, Point2] }[] = [{ i: 0, j: 0, steps: first }];
  for (let head = 0; head < queue.length; head++) {
    const { i, j, steps } = queue[head];
    const here = points[places.get(`${i},${j}`)!];
    for (const [di, dj] of [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
    ]) {
      const key = `${i + di},${j + dj}`;
      if (places.has(key)) continue;
      const step: Point2 = [di * steps[0][0] + dj * steps[1][0], di * steps[0][1] + dj * steps[1][1]];
      // Where the corner behind is known, perspective shows.
      const behind = places.get(`${i - di},${j - dj}`);
      const last: Point2 =
        behind === undefined ? step : [here[0] - points[behind][0], here[1] - points[behind][1]];
      const found = nearest(points, [here[0] + last[0], here[1] + last[1]], OFF * Math.hypot(...last));
      if (found === undefined || taken.has(found)) continue;
      places.set(key, found);
      taken.add(found);
      const way: Point2 = [points[found][0] - here[0], points[found][1] - here[1]];
      queue.push({
        ...{ i: i + di, j: j + dj },
        steps: di !== 0 ? [[di * way[0], di * way[1]], steps[1]] : [steps[0], [dj * way[0], dj * way[1]]],
      });
    }
  }
  return { places };
}

/** To the nearest corner, and to the nearest of those at about a right angle to it; the second is to the right of the first. */
function firstSteps(points: readonly Point2[], seed: number): readonly [Point2, Point2] | undefined {
  const ways = points
    .map((p, k) => ({ k, way: [p[0] - points[seed][0], p[1] - points[seed][1]] as Point2 }))
    .filter(({ k }) => k !== seed)
    .sort((a, b) => Math.hypot(...a.way) - Math.hypot(...b.way))
    .slice(0, 8);
  const first = ways[0]?.way;
  if (!first) return undefined;
  const second = ways.find(({ way }) => {
    const cosine = (way[0] * first[0] + way[1] * first[1]) / (Math.hypot(...way) * Math.hypot(...first));
    return Math.abs(cosine) < 0.6;
  })?.way;
  if (!second) return undefined;
  const isRight = first[0] * second[1] - first[1] * second[0] > 0;
  return isRight ? [first, second] : [first, [-second[0], -second[1]]];
}

function nearest(points: readonly Point2[], [x, y]: Point2, reach: number): number | undefined {
  let [best, least] = [-1, reach];
  points.forEach((p, k) => {
    const away = Math.hypot(p[0] - x, p[1] - y);
    if (away < least) [best, least] = [k, away];
  });
  return best < 0 ? undefined : best;
}

/** A quarter turn: (i, j) becomes (j, -i). */
const turned = ({ places }: Grid): Grid => ({
  places: new Map(
    Array.from(places, ([key, k]) => {
      const [i, j] = key.split(',').map(Number);
      return [`${j},${-i}`, k] as const;
    }),
  ),
});

/** A whole rectangle of corners: where there are several, another pattern goes on beside the board, and it is none. */
function rectangleIn({ places }: Grid, columns: number, rows: number): number[] | undefined {
  const keys = Array.from(places.keys(), (key) => key.split(',').map(Number));
  const found: number[][] = [];
  for (const [i, j] of keys) {
    const all: number[] = [];
    for (let b = 0; b < rows; b++)
      for (let a = 0; a < columns; a++) {
        const k = places.get(`${i + a},${j + b}`);
        if (k !== undefined) all.push(k);
      }
    if (all.length === columns * rows) found.push(all);
  }
  return found.length === 1 ? found[0] : undefined;
}
