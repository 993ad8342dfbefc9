/** A point of the unit cube: each coordinate goes from 0 to 1 over the range of its unknown. */
export type Point = readonly number[];

/** A loss that is known by its values alone. */
export interface BlackBox {
  /** Number of unknowns. */
  readonly dimension: number;
  /** Losses at points of the unit cube, each of one simulation; infinite where that fails. */
  readonly losses: (points: readonly Point[]) => Promise<readonly number[]>;
}

/** The point of least loss that a search has seen. */
export interface Best {
  readonly point: Point;
  readonly loss: number;
}

/** Options that all searches take. */
export interface SearchFrom {
  readonly start: Point;
  /** Uniform numbers in [0, 1). */
  readonly random: () => number;
}

/** Mirrors coordinates beyond an end of the range back into it, so that every point has a loss. */
export const mirrored = (point: Point): Point =>
  point.map((x) => {
    const turned = Math.abs(x) % 2;
    return turned <= 1 ? turned : 2 - turned;
  });

/** The better of what was seen and of further points with their losses. */
export const betterOf = (best: Best, points: readonly Point[], losses: readonly number[]): Best =>
  points.reduce((found, point, k) => (losses[k] < found.loss ? { point, loss: losses[k] } : found), best);
