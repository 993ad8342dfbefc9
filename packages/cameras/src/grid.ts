import type { Point2 } from './camera.ts';
import type { Corner } from './corners.ts';

/**
 * Maximum distance of a neighbouring corner from its predicted position, as a fraction of the distance between corners.
 */
const MAX_PREDICTION_ERROR = 0.35;
/** Number of corners from which growing a grid is tried. */
const MAX_SEEDS = 60;

interface Grid {
  /** Index of the corner at grid position (i, j), with the key {@link keyOf}(i, j). */
  readonly places: Map<number, number>;
}

/** Bound of the grid coordinates: larger than the number of corners. */
const MAX_COORDINATE = 10_000;
const keyOf = (i: number, j: number): number => (j + MAX_COORDINATE) * 2 * MAX_COORDINATE + i + MAX_COORDINATE;
const placeOf = (key: number): [i: number, j: number] => [
  (key % (2 * MAX_COORDINATE)) - MAX_COORDINATE,
  Math.floor(key / (2 * MAX_COORDINATE)) - MAX_COORDINATE,
];

/**
 * Finds the corners of a board with `columns` x `rows` corners among all candidates, row by row. The direction of the
 * columns is that of the rows turned right in the picture, like y relative to x.
 * @returns undefined if there is no such grid.
 */
export function findGrid(corners: readonly Corner[], columns: number, rows: number): Point2[] | undefined {
  if (corners.length < columns * rows) return undefined;
  const points = corners.map(({ position }) => position);
  const near = new Neighbours(points);
  for (const seed of centralCorners(points)) {
    const grid = growGrid(near, seed);
    if (!grid || grid.places.size < columns * rows) continue;
    const found = completeRectangle(grid, columns, rows) ?? completeRectangle(rotateGrid(grid), columns, rows);
    if (found) return found.map((k) => points[k]);
  }
  return undefined;
}

/**
 * Returns the indices of the corners nearest to the median position, where the board is likely, in order of distance.
 */
function centralCorners(points: readonly Point2[]): number[] {
  const [x, y] = [0, 1].map((c) => points.map((p) => p[c]).sort((a, b) => a - b)[points.length >> 1]);
  const away = (k: number): number => Math.hypot(points[k][0] - x, points[k][1] - y);
  return [...points.keys()].sort((a, b) => away(a) - away(b)).slice(0, MAX_SEEDS);
}

/**
 * Grows a grid from a corner: its two nearest neighbours at about right angles, then neighbours of neighbours. The
 * position of each is predicted from the previous step in that direction.
 */
function growGrid(near: Neighbours, seed: number): Grid | undefined {
  const { points } = near;
  const first = firstSteps(points, seed);
  if (!first) return undefined;
  const places = new Map([[keyOf(0, 0), seed]]);
  const taken = new Set([seed]);
  const queue: { i: number; j: number; steps: readonly [Point2, Point2] }[] = [{ i: 0, j: 0, steps: first }];
  for (let head = 0; head < queue.length; head++) {
    const { i, j, steps } = queue[head];
    const here = points[places.get(keyOf(i, j))!];
    for (const [di, dj] of [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
    ]) {
      const key = keyOf(i + di, j + dj);
      if (places.has(key)) continue;
      const step: Point2 = [di * steps[0][0] + dj * steps[1][0], di * steps[0][1] + dj * steps[1][1]];
      // If the corner behind is known, the prediction includes perspective.
      const behind = places.get(keyOf(i - di, j - dj));
      const last: Point2 = behind === undefined ? step : [here[0] - points[behind][0], here[1] - points[behind][1]];
      const found = near.nearest([here[0] + last[0], here[1] + last[1]], MAX_PREDICTION_ERROR * Math.hypot(...last));
      if (found === undefined || taken.has(found)) continue;
      places.set(key, found);
      taken.add(found);
      const way: Point2 = [points[found][0] - here[0], points[found][1] - here[1]];
      queue.push({
        i: i + di,
        j: j + dj,
        steps: di !== 0 ? [[di * way[0], di * way[1]], steps[1]] : [steps[0], [dj * way[0], dj * way[1]]],
      });
    }
  }
  return { places };
}

/**
 * Returns the vectors from a corner to the nearest other one, and to the nearest of those at about a right angle to it;
 * the second vector is reversed if it points to the left of the first.
 */
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

/** Points sorted into square cells, for fast nearest-neighbour queries. */
class Neighbours {
  readonly points: readonly Point2[];
  readonly #cells: number[][];
  readonly #side: number;
  readonly #from: Point2;
  readonly #count: Point2;

  constructor(points: readonly Point2[]) {
    this.points = points;
    const [least, most] = [Math.min, Math.max].map(
      (end): Point2 => [
        points.reduce((so, p) => end(so, p[0]), points[0][0]),
        points.reduce((so, p) => end(so, p[1]), points[0][1]),
      ],
    );
    const [width, height] = [most[0] - least[0], most[1] - least[1]];
    // About one point per cell, also if all lie in a thin strip.
    this.#side = Math.max(1, Math.sqrt((width * height) / points.length));
    this.#from = least;
    this.#count = [Math.floor(width / this.#side), Math.floor(height / this.#side)];
    this.#cells = Array.from({ length: (this.#count[0] + 1) * (this.#count[1] + 1) }, () => []);
    points.forEach((point, k) => {
      const [i, j] = this.#cellOf(point);
      this.#cells[j * (this.#count[0] + 1) + i].push(k);
    });
  }

  #cellOf([x, y]: Point2): [number, number] {
    return [Math.floor((x - this.#from[0]) / this.#side), Math.floor((y - this.#from[1]) / this.#side)];
  }

  /** Returns the index of the point nearest to (x, y) within `reach`, px, or undefined. */
  nearest([x, y]: Point2, reach: number): number | undefined {
    const [left, top] = this.#cellOf([x - reach, y - reach]).map((c) => Math.max(0, c));
    const ends = this.#cellOf([x + reach, y + reach]);
    const [right, bottom] = ends.map((c, axis) => Math.min(this.#count[axis], c));
    let [best, least] = [-1, reach];
    for (let j = top; j <= bottom; j++)
      for (let i = left; i <= right; i++)
        for (const k of this.#cells[j * (this.#count[0] + 1) + i]) {
          const away = Math.hypot(this.points[k][0] - x, this.points[k][1] - y);
          if (away < least || (away === least && k < best)) [best, least] = [k, away];
        }
    return best < 0 ? undefined : best;
  }
}

/** Rotates the grid positions by a quarter turn: (i, j) becomes (j, -i). */
const rotateGrid = ({ places }: Grid): Grid => ({
  places: new Map(
    Array.from(places, ([key, k]) => {
      const [i, j] = placeOf(key);
      return [keyOf(j, -i), k] as const;
    }),
  ),
});

/**
 * Finds the complete rectangle of `columns` x `rows` corners. If there are several, the board is part of a larger
 * pattern, and undefined is returned.
 */
function completeRectangle({ places }: Grid, columns: number, rows: number): number[] | undefined {
  // From the last position to the first: runs of corners in a row from here on, then rows below each other with long
  // enough runs.
  const keys = Float64Array.from(places.keys()).sort().reverse();
  const inRow = new Map<number, number>();
  const below = new Map<number, number>();
  const found: number[] = [];
  for (const key of keys) {
    const own = 1 + (inRow.get(key + 1) ?? 0);
    inRow.set(key, own);
    if (own < columns) continue;
    const whole = 1 + (below.get(key + 2 * MAX_COORDINATE) ?? 0);
    below.set(key, whole);
    if (whole >= rows) found.push(key);
  }
  if (found.length !== 1) return undefined;
  const [i, j] = placeOf(found[0]);
  return Array.from(
    { length: columns * rows },
    (_, k) => places.get(keyOf(i + (k % columns), j + Math.floor(k / columns)))!,
  );
}
