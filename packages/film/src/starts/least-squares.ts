import { inverseDiagonal, levenbergMarquardt, type Minimum } from '@gradsim/base';

/**
 * Least squares over a few unknowns, with standard deviations, for residuals that have the standard deviation 1 or, if
 * larger, their actual one.
 *
 * @param scales natural step of each unknown.
 * @param sufficientGain gain in the sum of squared residuals below which the fit ends. Default: one beyond rounding.
 */
export function leastSquares(
  residuals: (values: readonly number[]) => readonly number[],
  start: readonly number[],
  scales: readonly number[],
  sufficientGain?: number,
): Minimum & { readonly deviations: number[] } {
  const found = levenbergMarquardt([{ unknowns: [...start.keys()], residuals }], start, scales, sufficientGain);
  const spread = Math.max(1, found.squares / Math.max(found.count - start.length, 1));
  const variances = inverseDiagonal(found.normal);
  return { ...found, deviations: scales.map((scale, i) => scale * Math.sqrt(spread * variances[i])) };
}
