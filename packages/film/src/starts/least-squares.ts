import { inverseDiagonal, levenbergMarquardt, type Minimum } from '@gradsim/numeric';

/**
 * Least squares over a few unknowns, with their standard deviations for residuals of standard deviation 1, or of their
 * actual size if that is larger.
 *
 * @param scales natural steps, by unknown.
 */
export function leastSquares(
  residuals: (values: readonly number[]) => readonly number[],
  start: readonly number[],
  scales: readonly number[],
): Minimum & { readonly deviations: number[] } {
  const found = levenbergMarquardt([{ unknowns: [...start.keys()], residuals }], start, scales);
  const spread = Math.max(1, found.squares / Math.max(found.count - start.length, 1));
  const variances = inverseDiagonal(found.normal);
  return { ...found, deviations: scales.map((scale, i) => scale * Math.sqrt(spread * variances[i])) };
}
