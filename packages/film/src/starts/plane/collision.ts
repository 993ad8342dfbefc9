import { linearLeastSquares } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { FilmCamera } from '../../film-camera.ts';
import type { PairOutlines } from '../../outlines/pair.ts';
import { PAIRS, TRACKS } from '../../tuning/tracks.ts';

/** Vector in the plane of the picture, m or m/s: to the right and upwards. */
export type Across = readonly [number, number];

/** One of two things that collide: where it is when they touch, and its velocities just before and after. */
export interface Collider {
  /** Place, m, to the right of the camera's axis and above it. */
  readonly position: Across;
  readonly before: Across;
  readonly after: Across;
}

/** A collision of two things in a plane across the camera's axis. */
export interface Collision {
  /** Moment of the touch, s. */
  readonly time: number;
  /** The two, in the order of their outlines. */
  readonly colliders: readonly [Collider, Collider];
  /** Root mean square distance of the outlines' middles from the fit, px. */
  readonly residual: number;
}

/** Fit of two paths that bend in one moment. */
interface Bent {
  readonly time: number;
  readonly squares: number;
  /** Place of each thing at that moment, px, and its velocities before and after, px/s: to the right and downwards. */
  readonly values: readonly (readonly number[])[];
}

/**
 * Finds when two things touch, and how they move before and after, from their outlines: straight and evenly, but for the
 * moment of the touch.
 *
 * @param distance distance of the plane of their motion from the camera, m.
 * @throws where they are seen in too few frames before or after, or do not push each other.
 */
export function startOfCollision(
  outlines: PairOutlines,
  times: readonly number[],
  camera: FilmCamera,
  distance: number,
): Collision {
  const seen = outlines.flatMap((pair, frame) => (pair ? [{ pair, time: times[frame] }] : []));
  const { fewestBeside } = PAIRS;
  if (seen.length < 2 * fewestBeside) refuse(`Two things are seen together in ${seen.length} frames.`);
  const paths = [0, 1].flatMap((k) => [seen.map(({ pair }) => pair[k].x), seen.map(({ pair }) => pair[k].y)]);
  const own = seen.map(({ time }) => time);
  const bent = momentIn(own, paths);
  const straight = paths.reduce(
    (sum, path) =>
      sum +
      squaresOf(
        own.map((t) => [1, t]),
        path,
      ).squares,
    0,
  );
  const degrees = Math.max(1, 4 * own.length - 13);
  const noise = Math.max(TRACKS.place ** 2, bent.squares / degrees);
  const velocities = [0, 1].map((k) =>
    [1, 2].map((side): Across => [bent.values[2 * k][side], bent.values[2 * k + 1][side]]),
  );
  const changes = velocities.map(([before, after]) => Math.hypot(after[0] - before[0], after[1] - before[1]));
  const [first, second] = velocities;
  const met = Math.hypot(first[0][0] - second[0][0], first[0][1] - second[0][1]);
  const sides = [own.filter((t) => t < bent.time).length, own.filter((t) => t > bent.time).length];
  const opposite =
    (first[1][0] - first[0][0]) * (second[1][0] - second[0][0]) +
    (first[1][1] - first[0][1]) * (second[1][1] - second[0][1]);
  if (
    straight - bent.squares < PAIRS.change.deviations ** 2 * noise ||
    Math.min(...changes) < PAIRS.change.part * met ||
    opposite >= 0
  )
    refuse('The two things that move do not push each other: none changes its velocity against the other.');
  if (Math.min(...sides) < fewestBeside)
    refuse(
      `They touch at ${bent.time.toFixed(2)} s, with ${sides[0]} frames of both before and ${sides[1]} after; each side needs ${fewestBeside} at least.`,
    );
  const rayAt = ([x, y]: readonly number[]): Across => camera.ray(x, y);
  const thing = (k: 0 | 1): Collider => {
    const [x, y] = [bent.values[2 * k], bent.values[2 * k + 1]];
    const at = rayAt([x[0], y[0]]);
    const velocity = (side: 1 | 2): Across => {
      const step = 0.01;
      const there = rayAt([x[0] + step * x[side], y[0] + step * y[side]]);
      return [(distance * (there[0] - at[0])) / step, (distance * (there[1] - at[1])) / step];
    };
    return { position: [distance * at[0], distance * at[1]], before: velocity(1), after: velocity(2) };
  };
  return {
    time: bent.time,
    colliders: [thing(0), thing(1)],
    residual: Math.sqrt(bent.squares / (2 * own.length)),
  };
}

/** Moment in which paths bend with the least squares of what is left. */
function momentIn(times: readonly number[], paths: readonly (readonly number[])[]): Bent {
  const { fewestBeside, step } = PAIRS;
  const interval = (times.at(-1)! - times[0]) / (times.length - 1);
  const [from, to] = [times[1], times.at(-2)!];
  const at = (time: number): Bent => {
    const rows = times.map((t) => [1, Math.min(t - time, 0), Math.max(t - time, 0)]);
    const fits = paths.map((path) => squaresOf(rows, path));
    return {
      time,
      squares: fits.reduce((sum, { squares }) => sum + squares, 0),
      values: fits.map(({ found }) => found),
    };
  };
  const count = Math.max(fewestBeside, Math.ceil((to - from) / (step * interval)));
  let best = at(from);
  for (let k = 1; k <= count; k++) {
    const each = at(from + ((to - from) * k) / count);
    if (each.squares < best.squares) best = each;
  }
  for (let width = step * interval; width > 1e-4 * interval; width /= 2)
    for (const time of [best.time - width / 2, best.time + width / 2]) {
      const each = at(time);
      if (each.squares < best.squares) best = each;
    }
  return best;
}

function squaresOf(rows: readonly (readonly number[])[], values: readonly number[]) {
  const found = linearLeastSquares(rows, values);
  if (!found) return { found: rows[0].map(() => 0), squares: Number.POSITIVE_INFINITY };
  const squares = rows.reduce(
    (sum, row, k) => sum + (row.reduce((s, c, j) => s + c * found[j], 0) - values[k]) ** 2,
    0,
  );
  return { found, squares };
}

function refuse(what: string): never {
  throw new GradsimError('film/no-collision', what, {
    hint: 'A collision needs two things that are seen before and after they touch: cut the film by first and last to one touch, and give a background, a picture without both, where one of them hardly moves for half of it. gradsim look shows what moves.',
  });
}
