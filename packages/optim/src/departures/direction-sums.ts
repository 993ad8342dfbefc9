import { multiplyVector } from '@gradsim/base';
import { inverseAlong } from '../unknowns/information.ts';
import type { PatternSums } from './pattern-sums.ts';
import type { ResidualDirection } from './patterns.ts';

/** Sums over all frames of products of directions with each other and with the residuals. */
export interface Sums {
  readonly patternSums: PatternSums;
  readonly directions: readonly ResidualDirection[];
  /** G^T G of all directions G, row by row; `slopes`: G^T r. */
  readonly products: Float64Array;
  readonly slopes: Float64Array;
}

/** Smallest share of a direction's squared length that must remain after projecting out others; less is rounding. */
export const MIN_REMAINDER = 1e-6;
/** Lower bound of the squared length of a direction in residual space, which avoids division by zero. */
export const SMALLEST_SQUARE = 1e-300;
/** Information along a direction, relative to that of the best determined one, below which departures ignore it. */
const SMALLEST_SHARE = 1e-9;

export function sumsOf(patternSums: PatternSums, directions: readonly ResidualDirection[]): Sums {
  const { scores, products: byFrame } = patternSums;
  const m = scores[0].length;
  const all = directions.length;
  const products = new Float64Array(all * all);
  const slopes = new Float64Array(all);
  byFrame.forEach((product, f) => {
    for (let c = 0; c < all; c++) {
      const { column, times } = directions[c];
      const own = times[f];
      if (own === 0) continue;
      slopes[c] += own * scores[f][column];
      for (let d = 0; d <= c; d++)
        products[c * all + d] += own * directions[d].times[f] * product[column * m + directions[d].column];
    }
  });
  for (let c = 0; c < all; c++) for (let d = 0; d < c; d++) products[d * all + c] = products[c * all + d];
  return { patternSums, directions, products, slopes };
}

/** Gauss-Newton step along some base directions, and the inverse of their information matrix where it is determined. */
export interface Fitted {
  readonly base: readonly number[];
  readonly step: Float64Array;
  readonly inverse: Float64Array;
}

export function stepAlong(
  { products, slopes, directions }: Sums,
  base: readonly number[],
  steps: Float64Array,
): Fitted {
  const information = Float64Array.from(
    { length: base.length ** 2 },
    (_, at) => products[base[Math.floor(at / base.length)] * directions.length + base[at % base.length]],
  );
  const inverse = inverseAlong(
    information,
    Float64Array.from(base, (i) => steps[i]),
    SMALLEST_SHARE,
  );
  const slope = Float64Array.from(base, (i) => slopes[i]);
  return { base, inverse, step: multiplyVector(inverse, slope).map((s) => -s) };
}

/** Directions G after projecting out the base J: G' = G - J (J^T J)^-1 J^T G; each scaled by its step. */
export interface Projection {
  /** For each direction g: its coefficients (J^T J)^-1 J^T g in the base, and the direction itself. */
  readonly parts: readonly Float64Array[];
  /** G'^T G', row by row; `scores`: G'^T r. */
  readonly products: Float64Array;
  readonly scores: Float64Array;
}

export function projectionOf(
  { products, slopes, directions }: Sums,
  ownDirections: readonly number[],
  { base, step, inverse }: Fitted,
  steps: Float64Array,
): Projection {
  const all = directions.length;
  const k = ownDirections.length;
  const parts = ownDirections.map((c) =>
    multiplyVector(
      inverse,
      Float64Array.from(base, (i) => products[i * all + c]),
    ),
  );
  const left = new Float64Array(k * k);
  const scores = new Float64Array(k);
  for (let a = 0; a < k; a++) {
    scores[a] = slopes[ownDirections[a]];
    base.forEach((i, at) => {
      scores[a] += products[ownDirections[a] * all + i] * step[at];
    });
    scores[a] *= steps[ownDirections[a]];
    for (let b = 0; b < k; b++) {
      let sum = products[ownDirections[a] * all + ownDirections[b]];
      base.forEach((i, at) => {
        sum -= parts[a][at] * products[i * all + ownDirections[b]];
      });
      left[a * k + b] = sum * steps[ownDirections[a]] * steps[ownDirections[b]];
    }
  }
  return { parts, scores, products: left };
}
