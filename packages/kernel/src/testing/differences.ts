/** How a derivative compares with central differences. */
export interface DifferenceResult {
  /** Relative to the largest derivative; the best that two neighbouring steps agree on. */
  readonly error: number;
  /** The larger one of those two steps. */
  readonly step: number;
}

/** From steps at which the truncation shows to steps at which rounding does: between the two lies the plateau. */
export const STEPS: readonly number[] = Array.from({ length: 12 }, (_, k) => 10 ** (-2 - k / 2));

/** Derivatives this much smaller than the values are lost in the rounding of the values. */
const VISIBLE = 1e-4;

/**
 * Compares a derivative along a line with central differences of `evaluate` along it, over {@link STEPS}. An error
 * counts only where two neighbouring steps both reach it, which a lucky crossing does not.
 */
export async function compareWithDifferences(
  evaluate: (step: number) => Promise<ArrayLike<number>>,
  derivative: ArrayLike<number>,
): Promise<DifferenceResult> {
  const largest = (values: ArrayLike<number>): number =>
    Array.from(values).reduce((m, x) => Math.max(m, Math.abs(x)), 0);
  const scale = Math.max(largest(derivative), VISIBLE * largest(await evaluate(0)), Number.MIN_VALUE);
  let best: DifferenceResult = { error: Number.POSITIVE_INFINITY, step: STEPS[0] };
  let before = Number.POSITIVE_INFINITY;
  for (const [k, step] of STEPS.entries()) {
    const [ahead, behind] = [await evaluate(step), await evaluate(-step)];
    const errors = Array.from(derivative, (d, i) => Math.abs((ahead[i] - behind[i]) / (2 * step) - d));
    const error = largest(errors) / scale;
    const agreed = Math.max(error, before);
    if (agreed < best.error) best = { error: agreed, step: STEPS[k - 1] };
    before = error;
  }
  return best;
}
