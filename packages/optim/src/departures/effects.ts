import { multiplyVector } from '@gradsim/base';
import type { DepartureCandidate, Effect } from '../posterior/departures.ts';
import type { Sums } from './direction-sums.ts';
import { SMALLEST_SQUARE } from './direction-sums.ts';

/**
 * Computes the effects of a wrong clock and of a small drag. The lag of all observations at once, g, moves the unknowns
 * by (J^T J)^-1 J^T g, and leaves g - J (J^T J)^-1 J^T g.
 *
 * @param asked indices of the unknowns; what was measured is held fixed. `inverse`: (J^T J)^-1 of these, row by row.
 * @param noise variance of a residual times the number of residuals that carry the information of one independent one.
 */
export function effectsOf(
  sums: Sums,
  candidates: readonly DepartureCandidate[],
  {
    asked,
    inverse,
    noise,
  }: { readonly asked: readonly number[]; readonly inverse: Float64Array; readonly noise: number },
): Effect[] {
  const { products, directions, patternSums } = sums;
  const all = directions.length;
  const between = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, i) => sum + b.reduce((part, j) => part + products[i * all + j], 0), 0);
  return (['clock', 'drag'] as const).flatMap((kind): Effect[] => {
    const own = candidates.filter((candidate) => candidate.kind === kind).flatMap((candidate) => candidate.directions);
    const whole = between(own, own);
    if (!(whole > 0) || !(noise > 0)) return [];
    const slopes = Float64Array.from(asked, (i) => between([i], own));
    const shift = multiplyVector(inverse, slopes);
    const remainder = whole - slopes.reduce((sum, slope, at) => sum + slope * shift[at], 0);
    const moved = new Float64Array(patternSums.unknowns);
    asked.forEach((i, at) => {
      moved[i] = shift[at];
    });
    return [{ kind, shift: moved, residualLength: Math.sqrt(Math.max(SMALLEST_SQUARE, remainder) / noise) }];
  });
}
