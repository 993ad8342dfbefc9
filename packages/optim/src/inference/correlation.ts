import { multiplySquare, sumOfProducts } from '@gradsim/numeric';
import { symmetricEigen, withEigenvalues } from '@gradsim/numeric/decompositions';

/** Scores and information of the residuals by stretch: a frame, or a part of one. */
export interface Stretches {
  /** J^T r of each stretch, in their order. */
  readonly scores: readonly Float64Array[];
  /** J^T J of each stretch, row by row. */
  readonly information: readonly Float64Array[];
}

/** Correlation of residuals, as far as it matters to the estimate. */
export interface ResidualCorrelation {
  /**
   * Covariance of the scores in the whitened directions, over the variance of a residual; I for independent residuals.
   */
  readonly spread: Float64Array;
  /** Number of residuals that carry as much information as one independent one, at least 1. */
  readonly perIndependent: number;
  /** Correlation length in stretches: the last lag at which scores are correlated. */
  readonly lag: number;
  /** Number of stretches used to measure it; null if they were too few, and residuals are taken as independent. */
  readonly measured: number | null;
}

/** Maximum lag that is examined: most films cannot resolve longer correlations. */
const MAX_LAGS = 24;
/** Minimum number of degrees of freedom for an estimate of a variance. */
const MIN_FREEDOM = 3;
/** Minimum share of the mean variance of the scores that a direction keeps: lags may reduce it, but not to zero. */
const MIN_SPREAD = 0.25;
/** Maximum number of multiplications for the traces of all lags. */
const MAX_WORK = 3e8;

/**
 * Measures the correlation of residuals from the residuals themselves. If they are independent, the whitened score of
 * stretch f, s_f = W^T J_f^T r_f, has the covariance s^2 P_f with P_f = W^T J_f^T J_f W, and scores of different
 * stretches have none. Here stretches at distance l have c_l P_f^(1/2) P_g^(1/2) instead, c_0 > s^2 where residuals of
 * one stretch go together as derivatives do. They are c_0 a r^l, white noise and what stays from stretch to stretch,
 * and a and r those whose effect on the means of s_f . s_(f+l) is nearest to what is seen, with what the fit has taken
 * out of the scores (they add up to zero) counted exactly. Few stretches give a scattered c_0: it is enlarged so that
 * 1.96 standard deviations cover what Student's t says of them.
 *
 * Proven in `test/inference/coverage.test.ts`: intervals cover for white and blurred residuals, offsets a frame and drifts.
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
  const alone = { spread: identity(q), perIndependent: 1, lag: 0, measured: null };
  if (q === 0 || scores.length < 4 || !(variance > 0)) return alone;
  const whitened = scores.map((score) => Float64Array.from(whitening, (w) => sumOfProducts(w, score)));
  const shares = sandwiched(information, whitening);
  const freedom = freedomOf(shares, q);
  if (freedom < MIN_FREEDOM) return alone;
  const lags = lagsOf(scores.length, q);
  const pairs = pairsOf(shares, lags, q);
  const seen = autocovariances(whitened, lags);
  const { alike, first } = likeliest(seen, expectations(shares, pairs, q), freedom);
  if (!(first > 0)) return { ...alone, measured: scores.length };
  // Correlated stretches carry as little information about the variance as about the unknowns.
  const effective = freedom / (1 + 2 * alike.slice(1).reduce((sum, r) => sum + r, 0));
  const together = (first / variance) * (studentFactor(Math.max(effective, 2)) / 1.96) ** 2;
  const spread = new Float64Array(q * q);
  alike.forEach((r, l) => add(spread, pairs[l].all, r * together));
  const floored = atLeast(spread, MIN_SPREAD * together);
  return {
    spread: floored,
    perIndependent: Math.max(1, trace(floored, q) / q),
    lag: alike.filter((r) => r > 0.05).length - 1,
    measured: scores.length,
  };
}

/** Degrees of freedom of the mean of s_f . s_f, from its first two moments under independence. */
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
 * Shared information of stretches at one distance, if they were fully correlated: P_(f+l)^(1/2) P_f^(1/2), both orders.
 */
interface Pairs {
  /** Sum over all g at that distance, by stretch h. */
  readonly of: readonly Float64Array[];
  /** Traces of the product with f + l, by f. */
  readonly traces: readonly number[];
  /** Sum over all pairs. */
  readonly all: Float64Array;
}

function pairsOf(shares: readonly Float64Array[], lags: number, q: number): Pairs[] {
  const roots = shares.map((share) => squareRoot(share));
  return Array.from({ length: lags + 1 }, (_, l) => {
    const of = shares.map(() => new Float64Array(q * q));
    const all = new Float64Array(q * q);
    const traces: number[] = [];
    for (let f = 0; f + l < shares.length; f++) {
      const product = l === 0 ? shares[f] : multiplySquare(roots[f + l], roots[f], q);
      traces.push(trace(product, q));
      add(of[f + l], product);
      if (l > 0) add(of[f], transposed(product, q));
    }
    for (const sum of of) add(all, sum);
    return { of, traces, all };
  });
}

/**
 * Mean of the sum over f of s_(f+l) . s_f if only stretches at distance m are correlated, [l][m]. The fit leaves s_f =
 * z_f - P_f z of the errors' own scores z_f, z their sum.
 */
function expectations(shares: readonly Float64Array[], pairs: readonly Pairs[], q: number): number[][] {
  const projected = pairs.map(({ all }) => shares.map((share) => multiplySquare(all, share, q)));
  return pairs.map((_, l) =>
    pairs.map(({ of, traces }, m) => {
      let sum = 0;
      for (let f = 0; f + l < shares.length; f++) {
        const h = f + l;
        if (l === m) sum += traces[f];
        sum += withoutFit(shares[h], shares[f], projected[m][f], of[h], of[f]);
      }
      return sum;
    }),
  );
}

/**
 * Trace of share P - Q other - share R, of a pair of stretches. Shares are symmetric, so a trace of a product with one is a sum of
 * products. The three sums are taken together: one alone waits for each of its additions.
 */
function withoutFit(
  share: Float64Array,
  other: Float64Array,
  p: Float64Array,
  q: Float64Array,
  r: Float64Array,
): number {
  let [first, second, third] = [0, 0, 0];
  for (let k = 0; k < share.length; k++) {
    first += share[k] * p[k];
    second += q[k] * other[k];
    third += share[k] * r[k];
  }
  return first - second - third;
}

function autocovariances(scores: readonly Float64Array[], lags: number): number[] {
  return Array.from({ length: lags + 1 }, (_, l) => {
    let sum = 0;
    for (let f = 0; f + l < scores.length; f++) sum += sumOfProducts(scores[f], scores[f + l]);
    return sum;
  });
}

/** Candidate values of a, the correlated share of the scores, and of r, its decay per stretch. */
const LASTING = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const STAYING = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95];

/**
 * Autocorrelations a r^l, from lag 0, whose effect on the scores after the fit is nearest to the observed one, with the
 * fewest constants needed (H. Akaike, 1974): none, r alone, or a and r. Also the variance of a stretch's scores
 * relative to that of independent residuals.
 */
function likeliest(
  seen: readonly number[],
  expected: readonly (readonly number[])[],
  freedom: number,
): { alike: number[]; first: number } {
  const lags = seen.length - 1;
  const of = (lasting: number, staying: number): number[] =>
    Array.from({ length: lags + 1 }, (_, l) => (l === 0 ? 1 : lasting * staying ** l));
  /** @param effects by lag: the effect on the scores of autocorrelations r^m at the lags m above 0. */
  const cost = (lasting: number, effects: readonly number[], constants: number): number => {
    const sum = (l: number): number => expected[l][0] + lasting * effects[l];
    const whole = sum(0);
    let squares = 0;
    for (let l = 1; l <= lags; l++) squares += (seen[l] / seen[0] - sum(l) / whole) ** 2;
    return whole > 0 ? squares * freedom + 2 * constants : Number.POSITIVE_INFINITY;
  };
  let best = {
    alike: [1],
    cost: cost(
      0,
      expected.map(() => 0),
      0,
    ),
  };
  if (lags > 0) {
    const decays = STAYING.map((staying) => {
      const powers = of(1, staying).map((power, l) => (l === 0 ? 0 : power));
      return { staying, effects: expected.map((effect) => sumOfProducts(powers, effect)) };
    });
    for (const lasting of LASTING)
      for (const { staying, effects } of decays) {
        const own = cost(lasting, effects, lasting === 1 ? 1 : 2);
        if (own < best.cost) best = { alike: of(lasting, staying), cost: own };
      }
  }
  return { alike: best.alike, first: seen[0] / sumOfProducts(best.alike, expected[0]) };
}

/** The 97.5 % point of Student's t. Source: Abramowitz and Stegun, 26.7.5. */
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

/** W^T h W of each matrix h, by products of square matrices with zeros for missing directions. */
function sandwiched(matrices: readonly Float64Array[], whitening: readonly Float64Array[]): Float64Array[] {
  const [q, n] = [whitening.length, whitening[0].length];
  const rows = new Float64Array(n * n);
  whitening.forEach((w, i) => rows.set(w, i * n));
  const columns = transposed(rows, n);
  return matrices.map((h) => {
    const product = multiplySquare(rows, multiplySquare(h, columns, n), n);
    const share = new Float64Array(q * q);
    for (let i = 0; i < q; i++) share.set(product.subarray(i * n, i * n + q), i * q);
    return share;
  });
}

const squareRoot = (a: Float64Array): Float64Array =>
  withEigenvalues(symmetricEigen(a), (value) => Math.sqrt(Math.max(value, 0)));
const atLeast = (a: Float64Array, least: number): Float64Array =>
  withEigenvalues(symmetricEigen(a), (value) => Math.max(value, least));
