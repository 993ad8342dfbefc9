import type { TrackPoint } from '@gradsim/video';
import { TRACKS } from '../tuning/tracks.ts';

/** Range of a track's points between two contacts: index of the first point, and of the one after the last. */
export interface Segment {
  readonly from: number;
  readonly to: number;
}

/** Number of coefficients of two cubics of time, for x and y. */
const COEFFICIENTS = 8;
const MIN_POINTS = TRACKS.fewestOfFlight;

/**
 * Cuts a track at the corners of its motion, such as a bounce, into pieces in which x and y in the picture are close to
 * cubics of time, as few as the data justify (optimal partitioning, B. Jackson et al. 2005, with the Bayesian
 * information criterion for the cost of a piece). A few points at either end may belong to none. The time that it takes grows with
 * the number of points times that of the longest piece.
 */
export function segmentsOf(points: readonly TrackPoint[]): Segment[] {
  const count = points.length;
  if (count < 2 * MIN_POINTS) return [{ from: 0, to: count }];
  const price = (COEFFICIENTS + 1) * Math.log(2 * count);
  const best: { cost: number; from: number }[] = [{ cost: 0, from: 0 }];
  for (let to = 1; to <= count; to++) {
    let found = { cost: Number.POSITIVE_INFINITY, from: 0 };
    const piece = new Cubics(points[to - 1]);
    for (let from = to - 1; from >= 0; from--) {
      const misfit = piece.add(points[from]);
      // A longer piece fits no better.
      if (price + misfit >= found.cost) break;
      // Only at the ends may a piece have fewer points: those before the first contact, or after the last.
      if (to - from < MIN_POINTS && from !== 0 && to !== count) continue;
      const cost = best[from].cost + price + (to - from < MIN_POINTS ? 0 : misfit);
      if (cost <= found.cost) found = { cost, from };
    }
    best[to] = found;
  }
  const segments: Segment[] = [];
  for (let to = count; to > 0; to = segments[0].from) segments.unshift({ from: best[to].from, to });
  const long = segments.filter(({ from, to }) => to - from >= MIN_POINTS);
  return long.length > 0 ? long : [{ from: 0, to: count }];
}

/** Cubics of time for x and y of points that are added one by one: least squares by Givens rotations. */
class Cubics {
  readonly #last: TrackPoint;
  /** Rows of a triangular matrix of the four coefficients, each with the right sides of x and y. */
  readonly #rows = Array.from({ length: 4 }, () => new Float64Array(6));
  #squares = 0;

  constructor(last: TrackPoint) {
    this.#last = last;
  }

  /** Adds a point, and returns the sum of squared residuals of the best cubics, divided by the noise variance. */
  add({ time, x, y }: TrackPoint): number {
    const t = time - this.#last.time;
    const row = Float64Array.of(1, t, t * t, t ** 3, x - this.#last.x, y - this.#last.y);
    for (const [k, own] of this.#rows.entries()) {
      const length = Math.hypot(own[k], row[k]);
      if (length === 0) continue;
      const [c, s] = [own[k] / length, row[k] / length];
      for (let j = k; j < 6; j++) [own[j], row[j]] = [c * own[j] + s * row[j], c * row[j] - s * own[j]];
    }
    this.#squares += (row[4] ** 2 + row[5] ** 2) / TRACKS.cubic ** 2;
    return this.#squares;
  }
}
