import { standardNormal, sum } from '@gradsim/base';
import { symmetricEigen } from '@gradsim/base/decompositions';
import type { BestPoint, BlackBox, Point, SearchFrom } from './black-box.ts';
import { betterOf, reflectIntoBox } from './black-box.ts';

/** Options of {@link cmaEs}. */
export interface CmaEsOptions extends SearchFrom {
  /** Maximum number of simulations; a generation that would exceed it is not started. */
  readonly simulations: number;
  /** Initial standard deviation of the sampled points, as a fraction of each unknown's range. Default 0.3. */
  readonly spread?: number;
}

/** Constants of the strategy, computed from the number of unknowns n. */
interface Constants {
  /** Number of points per generation. */
  readonly lambda: number;
  /** Recombination weights of the best points, best first; their sum is 1. */
  readonly weights: readonly number[];
  /** Variance-effective selection mass: 1 over the sum of the squared weights. */
  readonly muEff: number;
  /**
   * Learning rates: of the step-size path (cSigma) and the covariance path (cC), and of the covariance's rank-one (c1)
   * and rank-mu (cMu) updates.
   */
  readonly cSigma: number;
  readonly cC: number;
  readonly c1: number;
  readonly cMu: number;
  /** Damping parameter of the step-size update. */
  readonly damping: number;
  /** Approximate expected Euclidean norm of a standard normal vector with n components. */
  readonly chi: number;
}

/** State after a generation; names as in the source of {@link cmaEs}. */
interface State {
  readonly mean: Point;
  readonly sigma: number;
  /** Covariance matrix, n x n, row-major. */
  readonly covariance: readonly number[];
  readonly pathSigma: readonly number[];
  readonly pathC: readonly number[];
}

/**
 * Covariance matrix adaptation evolution strategy with weighted recombination of the better half. Points outside of the
 * unit cube are reflected into it.
 *
 * Source: N. Hansen, The CMA evolution strategy: a tutorial, arXiv:1604.00772, figure 6 and table 1, without negative
 * weights.
 * @returns the best point evaluated.
 */
export async function cmaEs(
  { dimension, losses }: BlackBox,
  { simulations, start, random, spread = 0.3 }: CmaEsOptions,
): Promise<BestPoint> {
  const constants = constantsOf(dimension);
  const { lambda } = constants;
  let state: State = {
    mean: start,
    sigma: spread,
    covariance: identity(dimension),
    pathSigma: start.map(() => 0),
    pathC: start.map(() => 0),
  };
  let best: BestPoint = { point: start, loss: Number.POSITIVE_INFINITY };
  for (let generation = 1; generation * lambda <= simulations; generation++) {
    const { values, vectors } = symmetricEigen(state.covariance);
    const roots = values.map((value) => Math.sqrt(Math.max(value, 0)));
    // y = B D z with z standard normal.
    const steps = Array.from({ length: lambda }, () => {
      const z = roots.map((root) => root * standardNormal(random));
      return start.map((_, i) => sum(z.map((along, k) => along * vectors[k][i])));
    });
    const points = steps.map((y) => reflectIntoBox(state.mean.map((m, i) => m + state.sigma * y[i])));
    const found = await losses(points);
    best = betterOf(best, points, found);
    const order = [...found.keys()].sort((a, b) => compare(found[a], found[b]));
    const selected = order.slice(0, constants.weights.length).map((k) => steps[k]);
    // C^-1/2 = B D^-1 B^T
    const whiten = (y: readonly number[]): number[] => {
      const along = vectors.map((vector, k) => sum(vector.map((b, i) => b * y[i])) / (roots[k] || 1));
      return y.map((_, i) => sum(along.map((a, k) => a * vectors[k][i])));
    };
    state = nextState(state, { selected, whiten, generation }, constants);
  }
  return best;
}

/** Order of losses, least first; infinite ones are equal and come last. */
const compare = (a: number, b: number): number => (a === b ? 0 : a - b);

const identity = (n: number): number[] =>
  Array.from({ length: n * n }, (_, at) => (Math.floor(at / n) === at % n ? 1 : 0));

function constantsOf(n: number): Constants {
  const lambda = 4 + Math.floor(3 * Math.log(n));
  const raw = Array.from({ length: Math.floor(lambda / 2) }, (_, i) => Math.log((lambda + 1) / 2) - Math.log(i + 1));
  const total = sum(raw);
  const weights = raw.map((weight) => weight / total);
  const muEff = 1 / sum(weights.map((weight) => weight ** 2));
  const cSigma = (muEff + 2) / (n + muEff + 5);
  const c1 = 2 / ((n + 1.3) ** 2 + muEff);
  return {
    lambda,
    weights,
    muEff,
    cSigma,
    cC: (4 + muEff / n) / (n + 4 + (2 * muEff) / n),
    c1,
    cMu: Math.min(1 - c1, (2 * (1 / 4 + muEff + 1 / muEff - 2)) / ((n + 2) ** 2 + muEff)),
    damping: 1 + 2 * Math.max(0, Math.sqrt((muEff - 1) / (n + 1)) - 1) + cSigma,
    chi: Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n)),
  };
}

/** Updates mean, step size and covariance from the best steps (`selected`), in units of sigma, best first. */
function nextState(
  { mean, sigma, covariance, pathSigma, pathC }: State,
  {
    selected,
    whiten,
    generation,
  }: {
    readonly selected: readonly (readonly number[])[];
    readonly whiten: (y: readonly number[]) => number[];
    readonly generation: number;
  },
  { weights, muEff, cSigma, cC, c1, cMu, damping, chi }: Constants,
): State {
  const n = mean.length;
  const step = mean.map((_, i) => sum(selected.map((y, k) => weights[k] * y[i])));
  const whitened = whiten(step);
  const nextSigma = pathSigma.map((p, i) => (1 - cSigma) * p + Math.sqrt(cSigma * (2 - cSigma) * muEff) * whitened[i]);
  const length = Math.hypot(...nextSigma);
  // The path of the covariance stalls while steps grow fast.
  const settled = length / Math.sqrt(1 - (1 - cSigma) ** (2 * generation)) < (1.4 + 2 / (n + 1)) * chi;
  const h = settled ? 1 : 0;
  const nextC = pathC.map((p, i) => (1 - cC) * p + h * Math.sqrt(cC * (2 - cC) * muEff) * step[i]);
  const kept = 1 - c1 - cMu + (1 - h) * c1 * cC * (2 - cC);
  const nextCovariance = covariance.map((c, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    const rankMu = sum(selected.map((y, k) => weights[k] * y[i] * y[j]));
    return kept * c + c1 * nextC[i] * nextC[j] + cMu * rankMu;
  });
  return {
    mean: mean.map((m, i) => m + sigma * step[i]),
    sigma: sigma * Math.exp((cSigma / damping) * (length / chi - 1)),
    covariance: nextCovariance,
    pathSigma: nextSigma,
    pathC: nextC,
  };
}
