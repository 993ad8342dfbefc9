import { multiplyVector } from '@gradsim/base';
import { priorInformation, priorSquares } from '../objective/priors.ts';
import { inverseAlong } from '../unknowns/information.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { Evidence } from './evidence.ts';

/** Smallest variance of residuals that is used: avoids division by zero for an exact fit in double precision. */
export const SMALLEST_VARIANCE = 1e-100;

/**
 * Gauss-Newton step from a point to the minimum of the loss. Unknowns at the ends of their ranges and undetermined
 * directions stay.
 */
export function remainingStepAt(
  unknowns: Unknowns,
  x: ArrayLike<number>,
  { squares, values, scores, hessian }: Pick<Evidence, 'squares' | 'values' | 'scores' | 'hessian'>,
  { count, smallestShare, least }: Readonly<Record<'count' | 'smallestShare' | 'least', number>>,
): Float64Array {
  const n = unknowns.count;
  const scales = unknowns.scales();
  const activeBounds = unknowns.activeBounds(x);
  const variance = Math.max(squares / count, (least * values) / count, SMALLEST_VARIANCE);
  const priors = priorInformation(unknowns, x);
  const pull = priorSquares(unknowns, x).gradient;
  const slope = Float64Array.from({ length: n }, (_, i) =>
    activeBounds[i] === 0 ? scores.reduce((sum, score) => sum + score[i], 0) / variance + pull[i] / 2 : 0,
  );
  const information = hessian.map((h, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    if (i !== j) return activeBounds[i] === 0 && activeBounds[j] === 0 ? h / variance : 0;
    return h / variance + priors[i];
  });
  const inverse = inverseAlong(information, scales, smallestShare);
  return multiplyVector(inverse, slope).map((step) => -step);
}
