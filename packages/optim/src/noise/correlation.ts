import { multiplySquare, multiplySymmetric, sumOfProducts } from '@gradsim/base';
import { mapEigenvalues, symmetricEigen } from '@gradsim/base/decompositions';
import type { ResidualCorrelation, Stretches } from '../posterior/uncertainty.ts';

/** Maximum lag at which correlation is measured, in stretches: most films cannot resolve longer ones. */
const MAX_LAGS = 24;
/** Minimum number of degrees of freedom for which a variance is estimated. */
const MIN_FREEDOM = 3;
/**
 * Lower bound of a direction's variance, relative to the mean variance of the scores: negative correlations cannot
 * reduce it further.
 */
const MIN_SPREAD = 0.25;
/** Maximum number of multiplications spent on the traces for all lags. */
const MAX_WORK = 3e8;

/**
 * Measures the correlation of residuals from the residuals themselves. For independent residuals, the whitened score of
 * stretch f, s_f = W^T J_f^T r_f, has the covariance s^2 P_f with P_f = W^T J_f^T J_f W, and scores of different
 * stretches are uncorrelated. Here the covariance of s_f and s_g at the distance l = |f - g| is modelled as c_l
 * P_f^(1/2) P_g^(1/2); c_0 exceeds s^2 if residuals within a stretch are correlated in the pattern of the derivatives.
 * The model c_l = c_0 a r^l for l > 0 is white noise plus noise that persists over stretches. Its a and r are those
 * whose predicted means of s_f . s_(f+l) fit the observed ones best; that the fit makes the scores add up to zero is
 * taken into account exactly. With few stretches the estimate of c_0 scatters: it is enlarged so that 1.96 standard
 * deviations cover as much as Student's t requires.
 *
 * `test/intervals/coverage.test.ts` verifies that intervals cover the truth for white and blurred residuals, offsets of
 * whole frames and drifts.
 *
 * @param whitening W, directions as columns, [unknown][direction]: W^T (J^T J) W = I.
 * @param variance s^2 of a residual.
 */
export function correlationOf(
  { scores, information }: Stretches,
  whitening: readonly Float64Array[],
  variance: number,
): ResidualCorrelation {
  const q = whitening.length;
  const alone = { scoreCovariance: identity(q), perIndependent: 1, correlationLength: 0, measured: null };
  if (q === 0 || scores.length < 4 || !(variance > 0)) return alone;
  const whitened = scores.map((score) => Float64Array.from(whitening, (w) => sumOfProducts(w, score)));
  const shares = sandwichProduct(information, whitening);
  const freedom = freedomOf(shares, q);
  if (freedom < MIN_FREEDOM) return alone;
  const lags = lagsOf(scores.length, q);
  const pairs = pairsOf(shares, lags, q);
  const seen = autocovariances(whitened, lags);
  const { correlations, first } = likeliestCorrelation(seen, expectations(shares, pairs, q), freedom);
  if (!(first > 0)) return { ...alone, measured: scores.length };
  // Correlated stretches carry as little information about the variance as about the unknowns.
  const effective = freedom / (1 + 2 * correlations.slice(1).reduce((sum, r) => sum + r, 0));
  const together = (first / variance) * (studentFactor(Math.max(effective, 2)) / 1.96) ** 2;
  const spread = new Float64Array(q * q);
  correlations.forEach((r, l) => add(spread, pairs[l].all, r * together));
  const floored = atLeast(spread, MIN_SPREAD * together);
  return {
    scoreCovariance: floored,
    perIndependent: Math.max(1, trace(floored, q) / q),
    correlationLength: correlations.filter((r) => r > 0.05).length - 1,
    measured: scores.length,
  };
}

/** Correlation with a spread of at least `minSpread` along every direction. */
export function withLeastSpread(correlation: ResidualCorrelation, minSpread: number): ResidualCorrelation {
  if (!(minSpread > 0)) return correlation;
  const scoreCovariance = atLeast(correlation.scoreCovariance, minSpread);
  const q = Math.sqrt(scoreCovariance.length);
  return {
    ...correlation,
    scoreCovariance,
    perIndependent: Math.max(correlation.perIndependent, trace(scoreCovariance, q) / q),
  };
}

/**
 * Degrees of freedom of the mean of s_f . s_f over stretches f, from its first two moments for independent residuals.
 */
function freedomOf(shares: readonly Float64Array[], q: number): number {
  const squares = shares.reduce((sum, share) => sum + sumOfProducts(share, share), 0);
  return squares > 0 ? (q - squares) ** 2 / squares : 0;
}

function lagsOf(stretches: number, q: number): number {
  const affordable = Math.floor(Math.sqrt(MAX_WORK / (stretches * q * q)));
  const products = Math.floor(MAX_WORK / (stretches * q ** 3));
  return Math.max(0, Math.min(Math.floor(stretches / 4), MAX_LAGS, affordable, products));
}

/**
 * For pairs of stretches f and g at one distance l: their covariance if fully correlated, P_f^(1/2) P_g^(1/2), both
 * ways. Only its symmetric part counts.
 */
interface Pairs {
  /** For each stretch, the sum of its covariances with the stretches at that distance, before and after it. */
  readonly of: readonly Float64Array[];
  /** For each stretch f, the trace of P_(f+l)^(1/2) P_f^(1/2). */
  readonly traces: readonly number[];
  /** Sum of the covariances of all pairs at that distance. */
  readonly all: Float64Array;
}

function pairsOf(shares: readonly Float64Array[], lags: number, q: number): Pairs[] {
  const roots = shares.map((share) => squareRoot(share));
  return Array.from({ length: lags + 1 }, (_, l) => {
    const of = shares.map(() => new Float64Array(q * q));
    const all = new Float64Array(q * q);
    const traces: number[] = [];
    for (let f = 0; f + l < shares.length; f++) {
      traces.push(sumOfProducts(roots[f + l], roots[f]));
      const both = l === 0 ? shares[f] : twiceSymmetric(roots, shares, f, f + l, q);
      add(of[f + l], both, l === 0 ? 1 : 1 / 2);
      if (l > 0) add(of[f], both, 1 / 2);
    }
    for (const sum of of) add(all, sum);
    return { of, traces, all };
  });
}

/**
 * A B + B A for symmetric matrices A and B with the squares A^2 and B^2, as (A + B)^2 - A^2 - B^2: a square is half the
 * work of a product.
 */
function twiceSymmetric(
  matrices: readonly Float64Array[],
  squares: readonly Float64Array[],
  a: number,
  b: number,
  q: number,
): Float64Array {
  const sum = matrices[a].slice();
  add(sum, matrices[b]);
  const both = multiplySymmetric(sum, sum, q);
  add(both, squares[a], -1);
  add(both, squares[b], -1);
  return both;
}

/** For each distance l, the symmetric part of the sum over f of P_f P_(f+l). */
function productsByDistance(shares: readonly Float64Array[], lags: number, q: number): Float64Array[] {
  const squares = shares.map((share) => multiplySymmetric(share, share, q));
  return Array.from({ length: lags + 1 }, (_, l) => {
    const sum = new Float64Array(q * q);
    for (let f = 0; f + l < shares.length; f++)
      if (l === 0) add(sum, squares[f]);
      else add(sum, twiceSymmetric(shares, squares, f, f + l, q), 1 / 2);
    return sum;
  });
}

/**
 * Mean of the sum over f of s_(f+l) . s_f if only stretches at the distance m are correlated, [l][m]. The fit changes
 * the scores z_f of the errors to s_f = z_f - P_f z, where z is the sum of all z_f.
 */
function expectations(shares: readonly Float64Array[], pairs: readonly Pairs[], q: number): number[][] {
  // Matrices are symmetric, so the trace of a product of two is the sum of products of their elements.
  return productsByDistance(shares, pairs.length - 1, q).map((products, l) =>
    pairs.map(({ of, all, traces }, m) => {
      let sum = sumOfProducts(all, products);
      for (let f = 0; f + l < shares.length; f++) {
        const h = f + l;
        if (l === m) sum += traces[f];
        sum -= twoTraces(of[h], shares[f], of[f], shares[h]);
      }
      return sum;
    }),
  );
}

/** Traces of a b and of c d, for symmetric matrices. Two sums run in one loop, since one waits for each addition. */
function twoTraces(a: Float64Array, b: Float64Array, c: Float64Array, d: Float64Array): number {
  let [first, second] = [0, 0];
  for (let k = 0; k < a.length; k++) {
    first += a[k] * b[k];
    second += c[k] * d[k];
  }
  return first + second;
}

function autocovariances(scores: readonly Float64Array[], lags: number): number[] {
  return Array.from({ length: lags + 1 }, (_, l) => {
    let sum = 0;
    for (let f = 0; f + l < scores.length; f++) sum += sumOfProducts(scores[f], scores[f + l]);
    return sum;
  });
}

/**
 * Values that are tried for a, the correlated share of the scores' variance, and (`TRIED_DECAYS`) for r, its decay per
 * stretch.
 */
const TRIED_SHARES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const TRIED_DECAYS = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95];

/**
 * Fits autocorrelations a r^l by lag, so that their effect on the scores after the fit is nearest to the observed one.
 * Chooses between no correlation, r alone, and a and r by Akaike's criterion (H. Akaike, 1974). Also returns the
 * variance of a stretch's scores relative to that of independent residuals.
 */
function likeliestCorrelation(
  seen: readonly number[],
  expected: readonly (readonly number[])[],
  freedom: number,
): { correlations: number[]; first: number } {
  const lags = seen.length - 1;
  const of = (lasting: number, staying: number): number[] =>
    Array.from({ length: lags + 1 }, (_, l) => (l === 0 ? 1 : lasting * staying ** l));
  /**
   * Akaike's criterion of a fit.
   * @param effects for each lag of scores: the effect of autocorrelations r^m at all lags m above 0.
   */
  const cost = (lasting: number, effects: readonly number[], constants: number): number => {
    const sum = (l: number): number => expected[l][0] + lasting * effects[l];
    const whole = sum(0);
    let squares = 0;
    for (let l = 1; l <= lags; l++) squares += (seen[l] / seen[0] - sum(l) / whole) ** 2;
    return whole > 0 ? squares * freedom + 2 * constants : Number.POSITIVE_INFINITY;
  };
  let best = {
    correlations: [1],
    cost: cost(
      0,
      expected.map(() => 0),
      0,
    ),
  };
  if (lags > 0) {
    const decays = TRIED_DECAYS.map((staying) => {
      const powers = of(1, staying).map((power, l) => (l === 0 ? 0 : power));
      return { staying, effects: expected.map((effect) => sumOfProducts(powers, effect)) };
    });
    for (const lasting of TRIED_SHARES)
      for (const { staying, effects } of decays) {
        const own = cost(lasting, effects, lasting === 1 ? 1 : 2);
        if (own < best.cost) best = { correlations: of(lasting, staying), cost: own };
      }
  }
  return { correlations: best.correlations, first: seen[0] / sumOfProducts(best.correlations, expected[0]) };
}

/** 97.5 % quantile of Student's t distribution. Source: Abramowitz and Stegun, 26.7.5. */
export function studentFactor(freedom: number): number {
  const z = 1.959964;
  return (
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3)
  );
}

// Square matrices, row by row.

const identity = (q: number): Float64Array =>
  Float64Array.from({ length: q * q }, (_, at) => Number(at % (q + 1) === 0));

function trace(a: Float64Array, q: number): number {
  let sum = 0;
  for (let i = 0; i < q; i++) sum += a[i * q + i];
  return sum;
}

function add(to: Float64Array, what: Float64Array, factor = 1): void {
  for (let k = 0; k < to.length; k++) to[k] += factor * what[k];
}

function transposed(a: Float64Array, q: number): Float64Array {
  const turned = new Float64Array(q * q);
  for (let i = 0; i < q; i++) for (let j = 0; j < q; j++) turned[j * q + i] = a[i * q + j];
  return turned;
}

/** W^T h W for each matrix h, as products of square matrices in which missing directions are zeros. */
function sandwichProduct(matrices: readonly Float64Array[], whitening: readonly Float64Array[]): Float64Array[] {
  const [q, n] = [whitening.length, whitening[0].length];
  const rows = new Float64Array(n * n);
  whitening.forEach((w, i) => rows.set(w, i * n));
  const columns = transposed(rows, n);
  return matrices.map((h) => {
    const product = multiplySymmetric(rows, multiplySquare(h, columns, n), n);
    const share = new Float64Array(q * q);
    for (let i = 0; i < q; i++) share.set(product.subarray(i * n, i * n + q), i * q);
    return share;
  });
}

const squareRoot = (a: Float64Array): Float64Array =>
  mapEigenvalues(symmetricEigen(a), (value) => Math.sqrt(Math.max(value, 0)));
const atLeast = (a: Float64Array, least: number): Float64Array =>
  mapEigenvalues(symmetricEigen(a), (value) => Math.max(value, least));
