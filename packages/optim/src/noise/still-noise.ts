import type { PreparedObservation } from '../objective/prepared-observation.ts';

/**
 * Error of a pixel of an outline, relative to the contrast across it: that of pictures by `softRas` with `compositing:
 * 'area'`, whose outlines are the most exact, against rays cast through every pixel (`npm run -s bench -- stills --noise
 * 0`): an outline displaced by as many pixels. Cameras and renderers weigh a pixel's area in ways of their own.
 */
export const OUTLINE_ERROR = 0.01;
/** Number of distinct values from which on values count as not rounded. */
const MAX_LEVELS = 4096;
/** Number of neighbours that are rounded by the same amount where a picture is flat: a block of a tile. */
const ROUNDED_ALIKE = 64;

/** A still picture of the model, with flags of the values that depend on an unknown. */
export interface StillOutput {
  readonly modelOutput: readonly Float32Array[];
  readonly showing: readonly Uint8Array[];
  /** Largest difference from the background. */
  readonly contrast: number;
}

/**
 * Smallest variance of residuals of still pictures, times the number of residuals that go together. The background may
 * show none of it: a picture of a program is rounded only, and nothing of that is seen where it is saturated, as in a
 * mask.
 */
export function leastStillVariance(
  { frames }: Pick<PreparedObservation, 'frames'>,
  { modelOutput, showing, contrast }: StillOutput,
): number {
  const levels = new Set<number>();
  for (const { target, rootWeights } of frames)
    for (let k = 0; k < target.length && levels.size < MAX_LEVELS; k++)
      if (rootWeights?.[k] !== 0) levels.add(Math.fround(target[k] / (rootWeights?.[k] ?? 1)));
  const step = levels.size < MAX_LEVELS ? smallestGap(levels) : 0;
  let [rounded, counted] = [0, 0];
  frames.forEach(({ target, rootWeights }, f) => {
    for (let k = 0; k < target.length; k++) {
      const root = rootWeights?.[k] ?? 1;
      if (showing[f][k] === 0 || root === 0) continue;
      const isFlat =
        target[k] === target[k + 1] && Math.abs(modelOutput[f][k] - modelOutput[f][k + 1]) < (root * step) / 4;
      rounded += (isFlat ? ROUNDED_ALIKE : 1) * root ** 2;
      counted++;
    }
  });
  return (OUTLINE_ERROR * contrast) ** 2 + (step ** 2 / 12) * (rounded / Math.max(1, counted));
}

/** Smallest difference between two of these values; 0 if there are not two. */
function smallestGap(values: ReadonlySet<number>): number {
  const sorted = Float64Array.from(values).sort();
  const gaps = sorted.slice(1).map((value, k) => value - sorted[k]);
  return gaps.length > 0 ? Math.min(...gaps) : 0;
}

/** Sums over the values of still pictures, with the derivative w of each by the displacement of all outlines, px. */
export interface OutlineSums {
  /** Sum of w^2 r^2, with the residuals r; `weights`: of w^2; `squares`: of w^4. */
  residuals: number;
  weights: number;
  squares: number;
}

/** Adds the first `count` values. */
export function addOutlines(sums: OutlineSums, widening: Float64Array, residuals: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const weight = widening[i] ** 2;
    sums.residuals += weight * residuals[i] ** 2;
    sums.weights += weight;
    sums.squares += weight ** 2;
  }
}
