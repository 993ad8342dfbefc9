import { linearLeastSquares } from '@gradsim/base';
import type { TrackPoint } from '@gradsim/video';
import { TRACKS } from '../tuning/tracks.ts';

/** Range of a track's points between two contacts: index of the first point, and of the one after the last. */
export interface Segment {
  readonly from: number;
  readonly to: number;
}

/** Number of coefficients of two cubics of time, for x and y. */
const UNKNOWNS = 8;
const FEWEST = TRACKS.fewestOfFlight;

/**
 * Cuts a track at the corners of its motion, such as a bounce, into pieces in which x and y in the picture are close to
 * cubics of time, as few as the data justify (optimal partitioning, B. Jackson et al. 2005, with the Bayesian
 * information criterion for the cost of a piece). A few points at either end may belong to none.
 */
export function segmentsOf(points: readonly TrackPoint[]): Segment[] {
  const count = points.length;
  if (count < 2 * FEWEST) return [{ from: 0, to: count }];
  const price = (UNKNOWNS + 1) * Math.log(2 * count);
  const best: { cost: number; from: number }[] = [{ cost: 0, from: 0 }];
  for (let to = 1; to <= count; to++) {
    let found = { cost: Number.POSITIVE_INFINITY, from: 0 };
    for (let from = 0; from < to; from++) {
      // Only at the ends may a piece have fewer points: those before the first contact, or after the last.
      if (to - from < FEWEST && from !== 0 && to !== count) continue;
      const before = best[from].cost;
      // A longer piece costs no less.
      if (before >= found.cost) continue;
      const cost = before + price + (to - from < FEWEST ? 0 : misfit(points.slice(from, to)));
      if (cost < found.cost) found = { cost, from };
    }
    best[to] = found;
  }
  const segments: Segment[] = [];
  for (let to = count; to > 0; to = segments[0].from) segments.unshift({ from: best[to].from, to });
  const long = segments.filter(({ from, to }) => to - from >= FEWEST);
  return long.length > 0 ? long : [{ from: 0, to: count }];
}

/** Sum of squared residuals of the best cubics for some points, divided by the noise variance. */
function misfit(points: readonly TrackPoint[]): number {
  const [first, last] = [points[0].time, points.at(-1)!.time];
  const rows = points.map(({ time }) => {
    const t = (2 * (time - first)) / (last - first) - 1;
    return [1, t, t * t, t ** 3];
  });
  let sum = 0;
  for (const axis of ['x', 'y'] as const) {
    const values = points.map((point) => point[axis]);
    const c = linearLeastSquares(rows, values);
    if (!c) continue;
    rows.forEach((row, k) => {
      const left = row.reduce((total, v, j) => total + v * c[j], -values[k]) / TRACKS.cubic;
      sum += left * left;
    });
  }
  return sum;
}
