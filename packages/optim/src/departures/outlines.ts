import { multiplyVector } from '@gradsim/base';
import { FALSE_ALARMS, ratioTail } from '../noise/significance.ts';
import { OUTLINE_ERROR } from '../noise/still-noise.ts';
import type { Sums } from './direction-sums.ts';
import { stepAlong } from './direction-sums.ts';
import type { PatternSums } from './pattern-sums.ts';

/**
 * Residuals at the outlines of still pictures beyond their noise, root mean square, in units of the error that outlines
 * have at least; 1 if noise explains them. The pattern of a renderer's outlines does not show by one direction: it
 * differs from one part of a picture to the next, as noise does, and unknowns take most of what is common to all.
 * @param minVariance stated lower bound of the variance of residuals.
 */
export function excessAtOutlines({ outlines, background, leastOfStills }: PatternSums, minVariance: number): number {
  const { residuals, weights, squares } = outlines;
  if (!(weights > 0) || !background) return 1;
  const { variance, correlationFactor, freedom } = background;
  const square = residuals / weights;
  const ownError = Math.max(minVariance, leastOfStills);
  const chance = ratioTail(square / (variance + ownError), weights ** 2 / squares / correlationFactor, freedom);
  return chance < FALSE_ALARMS.departure ? Math.sqrt(Math.max(1, (square - variance) / ownError)) : 1;
}

/**
 * Second moments of the bias of the unknowns if all outlines are displaced by {@link OUTLINE_ERROR} px, row by row: an
 * error common to all of them does not average out, and looks like another distance or size.
 * @param biasedUnknowns indices of the unknowns that are biased; the others are held fixed.
 */
export function outlineBias(sums: Sums, biasedUnknowns: readonly number[], steps: Float64Array): Float64Array {
  const { patternSums, directions, products } = sums;
  const n = patternSums.unknowns;
  const moments = new Float64Array(n * n);
  const { inverse } = stepAlong(sums, biasedUnknowns, steps);
  directions.forEach(({ column }, c) => {
    if (patternSums.patterns[column - n]?.kind !== 'wide') return;
    const length = OUTLINE_ERROR / patternSums.side;
    const shift = multiplyVector(
      inverse,
      Float64Array.from(biasedUnknowns, (i) => products[i * directions.length + c] * length),
    );
    biasedUnknowns.forEach((i, a) => {
      biasedUnknowns.forEach((j, b) => {
        moments[i * n + j] += shift[a] * shift[b];
      });
    });
  });
  return moments;
}
