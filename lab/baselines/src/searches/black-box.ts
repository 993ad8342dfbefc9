/** A point of the unit cube: each coordinate goes from 0 to 1 over the range of its unknown. */
export type Point = readonly number[];

/** A loss of which only values can be computed, without derivatives. */
export interface BlackBox {
  /** Number of unknowns. */
  readonly dimension: number;
  /** Returns the losses at points of the unit cube, by one simulation each; infinite where a simulation fails. */
  readonly losses: (points: readonly Point[]) => Promise<readonly number[]>;
}

/** The point of least loss that a search has evaluated, and its loss. */
export interface BestPoint {
  readonly point: Point;
  readonly loss: number;
}

/** Options common to all searches. */
export interface SearchFrom {
  readonly start: Point;
  /** Returns the next uniform random number in [0, 1). */
  readonly random: () => number;
}

/** Reflects coordinates outside [0, 1] at the ends of that range, so that every point has a loss. */
export const reflectIntoBox = (point: Point): Point =>
  point.map((x) => {
    const turned = Math.abs(x) % 2;
    return turned <= 1 ? turned : 2 - turned;
  });

/** Returns the better of the best point so far and further points with their losses. */
export const betterOf = (best: BestPoint, points: readonly Point[], losses: readonly number[]): BestPoint =>
  points.reduce((found, point, k) => (losses[k] < found.loss ? { point, loss: losses[k] } : found), best);
