/** Errors of one reference case, each relative to the largest expected magnitude. */
export interface CheckResult {
  lossError?: number;
  stateError?: number;
  imageError?: number;
  gradientError?: number;
  alphaGradientError?: number;
  finiteDifferenceError?: number;
}

/** The largest difference, relative to the largest expected magnitude. */
export function relativeError(got: ArrayLike<number>, expected: ArrayLike<number>): number {
  let difference = 0;
  let magnitude = 0;
  for (let k = 0; k < expected.length; k++) {
    difference = Math.max(difference, Math.abs(got[k] - expected[k]));
    magnitude = Math.max(magnitude, Math.abs(expected[k]));
  }
  return magnitude === 0 ? difference : difference / magnitude;
}
