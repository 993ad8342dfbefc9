/** Comparison of a derivative with central differences. */
export interface DifferenceResult {
  /** Relative to the largest derivative, or the size given for it; the best that two neighbouring steps agree on, or one that is enough. */
  readonly error: number;
  /** The larger one of those two steps. */
  readonly step: number;
}

/** From steps at which the truncation shows to steps at which rounding does: between the two lies the plateau. */
export const STEPS: readonly number[] = Array.from({ length: 12 }, (_, k) => 10 ** (-2 - k / 2));

/** Derivatives this much smaller than the values are lost in the rounding of the values. */
const VISIBLE = 1e-4;

/**
 * Compares a derivative along a line with central differences of `evaluate` along it, over {@link STEPS} from the largest
 * on, and with what two neighbouring ones give without the part that is quadratic in the step (Richardson), where the
 * function bends strongly. An error counts only where two neighbours both reach it, which a lucky crossing does not.
 *
 * @param enough an error that ends the search, since smaller ones would change nothing.
 * @param size what the derivative comes to usually, where it is a sum that chance may have cancelled.
 */
export async function compareWithDifferences(
  evaluate: (step: number) => Promise<ArrayLike<number>>,
  derivative: ArrayLike<number>,
  enough = 0,
  size = 0,
): Promise<DifferenceResult> {
  const largest = (values: ArrayLike<number>): number =>
    Array.from(values).reduce((m, x) => Math.max(m, Math.abs(x)), 0);
  const scale = Math.max(largest(derivative), size, VISIBLE * largest(await evaluate(0)), Number.MIN_VALUE);
  const errorOf = (found: readonly number[]): number =>
    largest(found.map((q, i) => Math.abs(q - derivative[i]))) / scale;
  let best: DifferenceResult = { error: Number.POSITIVE_INFINITY, step: STEPS[0] };
  let coarse: number[] | undefined;
  /** Errors at the step before: of its quotient, and of that without its quadratic part. */
  let before: number[] = [];
  for (const [k, step] of STEPS.entries()) {
    const [ahead, behind] = [await evaluate(step), await evaluate(-step)];
    const fine = Array.from(derivative, (_, i) => (ahead[i] - behind[i]) / (2 * step));
    const errors = [errorOf(fine)];
    if (coarse) {
      const ratio = (STEPS[k - 1] / step) ** 2;
      errors.push(errorOf(fine.map((q, i) => (ratio * q - coarse![i]) / (ratio - 1))));
    }
    before.forEach((error, series) => {
      const agreed = Math.max(errors[series], error);
      if (agreed < best.error) best = { error: agreed, step: STEPS[k - 1 - series] };
    });
    if (best.error <= enough) break;
    [coarse, before] = [fine, errors];
  }
  return best;
}
