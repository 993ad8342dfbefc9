import { symmetricEigen } from './least-squares.ts';
import type { UndeterminedDirection } from './result.ts';
import type { Unknowns } from './unknowns.ts';

export interface Uncertainty {
  /** Of the values (not the coordinates); null where the data do not determine them. */
  readonly standardErrors: readonly (number | null)[];
  readonly correlation: readonly (readonly (number | null)[])[];
  readonly undetermined: readonly UndeterminedDirection[];
  readonly leastDetermined: string;
}

/** Information below this share of the strongest direction's is lost in single precision. */
const SMALLEST_SHARE = 1e-11;
/** A standard deviation above this, in natural steps (a factor of 1.3 on a log scale), counts as undetermined. */
const LARGE_DEVIATION = 0.3;

/**
 * Standard errors from the Gauss-Newton Hessian: the covariance of the coordinates is s^2 (J^T J)^-1 with the
 * residual variance s^2 = RSS / (n - p), and the delta method takes it to the values.
 *
 * That holds where residuals are independent and alike; those of a film are neither. So the covariance is also found
 * from how the gradient scatters between stretches of frames (the cluster-robust "sandwich", K.-Y. Liang and
 * S. L. Zeger, 1986), and of both standard errors the larger one counts.
 *
 * @param hessian sum of J^T J over all residuals.
 * @param squares sum of squared residuals.
 * @param scores J^T r of each frame, in their order; too few of them leave the first way alone.
 */
export function uncertaintyOf(
  unknowns: Unknowns,
  x: ArrayLike<number>,
  hessian: ArrayLike<number>,
  squares: number,
  count: number,
  scores: readonly ArrayLike<number>[] = [],
): Uncertainty {
  const n = unknowns.count;
  const scales = unknowns.scales();
  const variance = squares / Math.max(1, count - n);
  const scaled = Float64Array.from(
    { length: n * n },
    (_, at) => hessian[at] * scales[Math.floor(at / n)] * scales[at % n],
  );
  const { values, vectors } = symmetricEigen(scaled);
  const strongest = Math.max(values[n - 1], 0);
  const isLost = values.map((value) => !(value > strongest * SMALLEST_SHARE));
  // Over the variance of the residuals, which is 0 for an exact fit.
  const covariance = (i: number, j: number): number =>
    values.reduce((sum, value, k) => (isLost[k] ? sum : sum + (vectors[k][i] * vectors[k][j]) / value), 0) *
    scales[i] *
    scales[j];
  const derivatives = unknowns.derivatives(x);
  const isFree = (i: number): boolean => values.some((_, k) => isLost[k] && Math.abs(vectors[k][i]) > 0.05);
  const { names } = unknowns;
  const standardErrors = names.map((_, i) =>
    isFree(i)
      ? null
      : Math.sqrt(Math.max(variance * covariance(i, i), robustVariance(scores, n, i, covariance))) *
        Math.abs(derivatives[i]),
  );
  const correlation = names.map((_, i) =>
    names.map((_, j) =>
      isFree(i) || isFree(j) ? null : covariance(i, j) / Math.sqrt(covariance(i, i) * covariance(j, j)),
    ),
  );
  const undetermined = values.flatMap((value, k): UndeterminedDirection[] => {
    const deviation = isLost[k] ? null : Math.sqrt(variance / value);
    if (deviation !== null && deviation < LARGE_DEVIATION) return [];
    const direction = Object.fromEntries(names.map((name, i) => [name, vectors[k][i]]));
    return [{ direction, standardDeviation: deviation, note: sentence(names, vectors[k], deviation) }];
  });
  const spread = names.map((_, i) =>
    isFree(i) ? Number.POSITIVE_INFINITY : Math.sqrt(covariance(i, i)) / scales[i],
  );
  return {
    standardErrors,
    correlation,
    undetermined,
    leastDetermined: names[spread.indexOf(Math.max(...spread))],
  };
}

/**
 * Variance of coordinate i from the scatter of the gradient: (H^-1 M H^-1)_ii, with M the sum of b b^T over stretches
 * of neighbouring frames, b the J^T r of a stretch. 0 where there are too few stretches to tell.
 */
function robustVariance(
  scores: readonly ArrayLike<number>[],
  n: number,
  i: number,
  inverseHessian: (i: number, j: number) => number,
): number {
  // Stretches long against what errors of neighbouring frames have in common, yet more of them than unknowns.
  const stretches = Math.min(scores.length, Math.max(2 * n, 2 * Math.ceil(Math.sqrt(scores.length))));
  if (stretches < n + 2) return 0;
  const sums = new Float64Array(stretches);
  scores.forEach((score, f) => {
    const stretch = Math.floor((f * stretches) / scores.length);
    for (let j = 0; j < n; j++) sums[stretch] += inverseHessian(i, j) * score[j];
  });
  // As many degrees of freedom are gone as there are unknowns.
  return (sums.reduce((sum, b) => sum + b * b, 0) * stretches) / (stretches - n);
}

function sentence(names: readonly string[], direction: readonly number[], deviation: number | null): string {
  const main = names
    .map((name, i) => ({ name, weight: direction[i] }))
    .filter(({ weight }) => Math.abs(weight) > 0.2)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  const how = deviation === null ? 'is not determined' : 'is hardly determined';
  if (main.length === 1) return `${main[0].name} ${how} by these observations.`;
  const parts = main.map(({ name, weight }) => `${name} ${weight * main[0].weight > 0 ? 'up' : 'down'}`);
  return `The combination ${parts.join(', ')} ${how}: these can change together with almost the same observations.`;
}
