/** Comparison of a derivative with central differences. */
export interface DifferenceResult {
  /**
   * Smallest error that two neighbouring steps both reach, or the first that is below `sufficientError`; relative to the largest
   * derivative or the given `size`.
   */
  readonly error: number;
  /** Larger of those two steps. */
  readonly step: number;
  /** Size that the error is relative to. */
  readonly size: number;
}

/** Step sizes, from those dominated by truncation to those dominated by rounding: between the two lies the plateau. */
export const STEP_SIZES: readonly number[] = Array.from({ length: 12 }, (_, k) => 10 ** (-2 - k / 2));

/**
 * Smallest derivative, relative to the values, that central differences resolve: smaller ones are lost in the rounding
 * of the values.
 */
const MIN_RELATIVE_SIZE = 1e-4;

/**
 * Compares a derivative along a line with central differences of `evaluate` along it, over {@link STEP_SIZES} from the
 * largest on, and, for strongly curved functions, with the Richardson extrapolation of two neighbouring steps. An error
 * counts only if two neighbouring steps both reach it, which excludes lucky crossings.
 *
 * @param sufficientError error at which the search ends, since a smaller one would change nothing.
 * @param size typical size of the derivative, for a sum whose terms may happen to cancel.
 */
export async function compareWithDifferences(
  evaluate: (step: number) => Promise<ArrayLike<number>>,
  derivative: ArrayLike<number>,
  sufficientError = 0,
  size = 0,
): Promise<DifferenceResult> {
  const largest = (values: ArrayLike<number>): number =>
    Array.from(values).reduce((m, x) => Math.max(m, Math.abs(x)), 0);
  const scale = Math.max(largest(derivative), size, MIN_RELATIVE_SIZE * largest(await evaluate(0)), Number.MIN_VALUE);
  const errorOf = (found: readonly number[]): number =>
    largest(found.map((q, i) => Math.abs(q - derivative[i]))) / scale;
  let best: DifferenceResult = { error: Number.POSITIVE_INFINITY, step: STEP_SIZES[0], size: scale };
  let coarse: number[] | undefined;
  /** Errors at the previous step size: of the central difference, and of the Richardson extrapolation. */
  let before: number[] = [];
  for (const [k, step] of STEP_SIZES.entries()) {
    const [ahead, behind] = [await evaluate(step), await evaluate(-step)];
    const fine = Array.from(derivative, (_, i) => (ahead[i] - behind[i]) / (2 * step));
    const errors = [errorOf(fine)];
    if (coarse) {
      const ratio = (STEP_SIZES[k - 1] / step) ** 2;
      errors.push(errorOf(fine.map((q, i) => (ratio * q - coarse![i]) / (ratio - 1))));
    }
    before.forEach((error, series) => {
      const agreed = Math.max(errors[series], error);
      if (agreed < best.error) best = { error: agreed, step: STEP_SIZES[k - 1 - series], size: scale };
    });
    if (best.error <= sufficientError) break;
    [coarse, before] = [fine, errors];
  }
  return best;
}
