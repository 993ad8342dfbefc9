import type { BestPoint, BlackBox, Point, SearchFrom } from './black-box.ts';
import { betterOf } from './black-box.ts';

/** Options of {@link randomSearch}. */
export interface RandomSearchOptions extends SearchFrom {
  /** Maximum number of simulations. */
  readonly simulations: number;
  /** Number of points evaluated in one call of `losses`. Default 8. */
  readonly atOnce?: number;
}

/** Returns the best of the initial point and of points drawn uniformly from the unit cube. */
export async function randomSearch(
  { dimension, losses }: BlackBox,
  { simulations, start, random, atOnce = 8 }: RandomSearchOptions,
): Promise<BestPoint> {
  const points: Point[] = [start];
  while (points.length < simulations) points.push(Array.from({ length: dimension }, random));
  let best: BestPoint = { point: start, loss: Number.POSITIVE_INFINITY };
  for (let from = 0; from < points.length; from += atOnce) {
    const some = points.slice(from, from + atOnce);
    best = betterOf(best, some, await losses(some));
  }
  return best;
}
