import { quantile } from '../row.ts';

/** A point of a curve, with the spread of its value over seeds. */
export interface SpreadPoint {
  readonly x: number;
  readonly y: number;
  readonly low: number;
  readonly high: number;
}

/** Median and quartiles over runs, point by point; a run that ends early keeps its last value. */
export function spreadOf(xs: readonly number[], runs: readonly (readonly number[])[]): SpreadPoint[] {
  return xs.map((x, k) => {
    const [low, y, high] = quartilesOf(runs.map((run) => run[Math.min(k, run.length - 1)]));
    return { x, y, low, high };
  });
}

/** Lower quartile, median and upper quartile. */
export function quartilesOf(values: readonly number[]): [number, number, number] {
  const sorted = [...values].sort((a, b) => a - b);
  return [quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)];
}
