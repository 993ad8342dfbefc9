import { multiplyVector, sumOfProducts } from '@gradsim/base';
import { symmetricEigen } from '@gradsim/base/decompositions';
import type { Scatter } from '../noise/scatter.ts';
import { scatterOf } from '../noise/scatter.ts';
import type { DepartureCandidate } from '../posterior/departures.ts';
import type { Fitted, Sums } from './direction-sums.ts';
import { MIN_REMAINDER, projectionOf, SMALLEST_SQUARE, stepAlong } from './direction-sums.ts';

/** Frames for each fitted direction from which on the fit hardly narrows the scatter of scores. */
const MANY_FRAMES = 10;
/** Least share of a scatter that a fit leaves for it to be measured. */
const MIN_LEFT = 0.05;

/** Result of fitting a candidate model error: its amplitudes are fitted together with the base directions. */
export interface CandidateFit {
  readonly candidate: DepartureCandidate;
  readonly amplitude: number;
  /** Number of the candidate's directions that are linearly independent of the base. */
  readonly rank: number;
  readonly explained: number;
  readonly scatters: readonly Scatter[];
}

/**
 * Fits the amplitudes a of a candidate's directions G. With G' = G - J (J^T J)^-1 J^T G, the part of G that is
 * orthogonal to the base J, a = -(G'^T G')^-1 G'^T r. The scatter of scores is measured from the residuals that remain
 * after the fit: otherwise a misfit that is equal in all frames would enlarge the scatter and hide itself.
 *
 * @returns undefined if all directions are linear combinations of the base.
 */
export function fitCandidate(
  sums: Sums,
  candidate: DepartureCandidate,
  fitted: Fitted,
  steps: Float64Array,
): CandidateFit | undefined {
  const { products, directions, patternSums } = sums;
  const { base, step } = fitted;
  const own = candidate.directions.filter((c) => !base.includes(c));
  if (own.length === 0) return undefined;
  const k = own.length;
  const { parts, scores, products: left } = projectionOf(sums, own, fitted, steps);
  // Each direction has length 1 before the base's part is removed.
  const whole = Math.max(SMALLEST_SQUARE, ...own.map((c) => products[c * (directions.length + 1)] * steps[c] ** 2));
  const { values, vectors } = symmetricEigen(left);
  const amplitudes = new Float64Array(k);
  let [rank, explained] = [0, 0];
  values.forEach((value, v) => {
    if (!(value > MIN_REMAINDER * whole)) return;
    rank++;
    let along = 0;
    for (let a = 0; a < k; a++) along += vectors[v][a] * scores[a];
    explained += along ** 2 / value;
    for (let a = 0; a < k; a++) amplitudes[a] -= (vectors[v][a] * along * steps[own[a]]) / value;
  });
  if (rank === 0) return undefined;
  const full = step.map((s, at) => s - parts.reduce((sum, part, a) => sum + part[at] * amplitudes[a], 0));
  const variance = Math.max(0, patternSums.squares - explained) / Math.max(1, patternSums.values - base.length - rank);
  const all = [...base, ...own];
  const isNarrowed = patternSums.scores.length < MANY_FRAMES * all.length;
  const inverse = isNarrowed ? stepAlong(sums, all, steps).inverse : undefined;
  const scatters = scattersOf(sums, { base, own, parts, full, amplitudes }, { variance, inverse });
  return { candidate, amplitude: amplitudes[0], rank, explained, scatters };
}

/**
 * Scatter of the scores from frame to frame along each direction of a candidate, after all of them are fitted.
 * @param inverse inverse information of all fitted directions, where their fit narrows the scatter: as many frames as
 * directions would leave none.
 */
function scattersOf(
  { patternSums, directions }: Sums,
  {
    base,
    own,
    parts,
    full,
    amplitudes,
  }: Readonly<Record<'base' | 'own', readonly number[]>> &
    Readonly<Record<'full' | 'amplitudes', Float64Array>> & { readonly parts: readonly Float64Array[] },
  { variance, inverse }: { readonly variance: number; readonly inverse: Float64Array | undefined },
): Scatter[] {
  const { scores, products, correlation } = patternSums;
  const m = scores[0].length;
  const frames = scores.length;
  const left = own.map(() => new Float64Array(frames));
  const squares = own.map(() => new Float64Array(frames));
  const all = [...base, ...own];
  const withOwn = own.map((c) => [...base, c]);
  /** Columns of which each direction consists, without the base's part. */
  const taken = withOwn.map((some) => [...new Set(some.map((i) => directions[i].column))].sort((i, j) => i - j));
  /** Squared length of each direction that the fit takes up. */
  const fitted = new Float64Array(own.length);
  const onto = new Float64Array(all.length);
  const [along, moved, residual] = [new Float64Array(m), new Float64Array(m), new Float64Array(m)];
  const [fit, apart] = [[...full, ...amplitudes], parts.map((part) => [...part.map((p) => -p), 1])];
  for (let f = 0; f < frames; f++) {
    const product = products[f];
    fillCombined(moved, directions, all, fit, f);
    addProduct(residual.fill(0), product, moved);
    for (let c = 0; c < m; c++) residual[c] += scores[f][c];
    for (let a = 0; a < own.length; a++) {
      fillCombined(along, directions, withOwn[a], apart[a], f);
      left[a][f] = sumOfProducts(along, residual);
      squares[a][f] = squareAlong(product, along, taken[a]);
      if (!inverse) continue;
      for (let at = 0; at < all.length; at++) {
        const { column, times } = directions[all[at]];
        onto[at] = times[f] * sumOfProducts(along, product.subarray(column * m, column * m + m));
      }
      fitted[a] += sumOfProducts(onto, multiplyVector(inverse, onto));
    }
  }
  const wholes = squares.map((square) => square.reduce((sum, s) => sum + s, 0));
  // A candidate of which a direction leaves nothing cannot be tested by the others.
  if (wholes.some((whole, a) => whole > 0 && !(1 - fitted[a] / whole > MIN_LEFT))) return [];
  return wholes.flatMap((whole, a) => {
    if (!(whole > 0)) return [];
    const remaining = 1 - fitted[a] / whole;
    const found = scatterOf(correlation, left[a], squares[a], variance);
    if (!found) return [];
    const { scatter, freedom } = found;
    return [{ variance: found.variance / whole, scatter: scatter / remaining, freedom: freedom * remaining }];
  });
}

/** Writes a combination of some directions in a frame, by column. */
function fillCombined(
  to: Float64Array,
  directions: Sums['directions'],
  some: readonly number[],
  coefficients: readonly number[],
  f: number,
): void {
  to.fill(0);
  for (let k = 0; k < some.length; k++) {
    const { column, times } = directions[some[k]];
    to[column] += times[f] * coefficients[k];
  }
}

/** Square of a vector that is 0 but for some of its components, with a matrix between. */
function squareAlong(matrix: Float64Array, vector: Float64Array, components: readonly number[]): number {
  let sum = 0;
  for (const i of components) for (const j of components) sum += vector[i] * vector[j] * matrix[i * vector.length + j];
  return sum;
}

function addProduct(to: Float64Array, matrix: Float64Array, vector: Float64Array): void {
  const m = vector.length;
  for (let j = 0; j < m; j++) {
    if (vector[j] === 0) continue;
    for (let i = 0; i < m; i++) to[i] += matrix[i * m + j] * vector[j];
  }
}
