/** Comparison of a derivative with central differences. */
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
 * Compares a derivative along a line with central differences of `evaluate` along it, over {@link STEPS}, and with what
 * two neighbouring ones give without the part that is quadratic in the step (Richardson), where the function bends
 * strongly. An error counts only where two neighbours both reach it, which a lucky crossing does not.
 */
export async function compareWithDifferences(
  evaluate: (step: number) => Promise<ArrayLike<number>>,
  derivative: ArrayLike<number>,
): Promise<DifferenceResult> {
  const largest = (values: ArrayLike<number>): number =>
    Array.from(values).reduce((m, x) => Math.max(m, Math.abs(x)), 0);
  const scale = Math.max(largest(derivative), VISIBLE * largest(await evaluate(0)), Number.MIN_VALUE);
  const quotients: number[][] = [];
  for (const step of STEPS) {
    const [ahead, behind] = [await evaluate(step), await evaluate(-step)];
    quotients.push(Array.from(derivative, (_, i) => (ahead[i] - behind[i]) / (2 * step)));
  }
  const extrapolated = quotients.slice(1).map((fine, k) => {
    const ratio = (STEPS[k] / STEPS[k + 1]) ** 2;
    return fine.map((q, i) => (ratio * q - quotients[k][i]) / (ratio - 1));
  });
  let best: DifferenceResult = { error: Number.POSITIVE_INFINITY, step: STEPS[0] };
  for (const series of [quotients, extrapolated]) {
    const errors = series.map((found) => largest(found.map((q, i) => Math.abs(q - derivative[i]))) / scale);
    for (let k = 1; k < errors.length; k++) {
      const agreed = Math.max(errors[k], errors[k - 1]);
      if (agreed < best.error) best = { error: agreed, step: STEPS[k - 1] };
    }
  }
  return best;
}
