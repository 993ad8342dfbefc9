/** Relative errors of one reference case: each is a largest difference divided by the largest expected magnitude. */
export interface CheckResult {
  lossError: number;
  /**
   * Largest error of the final positions, velocities and further outputs, each relative to its own largest magnitude.
   */
  stateError?: number;
  /** Largest error over all channels of all pixels of pictures, relative to the largest expected value. */
  imageError?: number;
  /**
   * Error of the derivatives of the loss over all parameters for which the file has derivatives, relative to the
   * largest of all.
   */
  gradientError: number;
  /**
   * Parameter with the largest gradient error relative to its own largest component: stricter than `gradientError`,
   * since parameters have different units.
   */
  worstParameter: { name: string; error: number };
  /** Error of the derivatives of the alpha part of the loss. */
  alphaGradientError?: number;
  finiteDifferenceError?: number;
}

/** Returns the largest difference, divided by the largest expected magnitude unless that is 0. */
export function relativeError(got: ArrayLike<number>, expected: ArrayLike<number>): number {
  let difference = 0;
  let magnitude = 0;
  for (let k = 0; k < expected.length; k++) {
    difference = Math.max(difference, Math.abs(got[k] - expected[k]));
    magnitude = Math.max(magnitude, Math.abs(expected[k]));
  }
  return magnitude === 0 ? difference : difference / magnitude;
}

/** A computed gradient and its expected value. */
export interface GradientPair {
  readonly name: string;
  readonly got: ArrayLike<number>;
  readonly expected: ArrayLike<number>;
}

/**
 * Returns the errors of gradients: of all parameters together, and of the parameter with the largest error relative to
 * its own gradient.
 */
export function gradientErrors(
  gradients: readonly GradientPair[],
): Pick<CheckResult, 'gradientError' | 'worstParameter'> {
  const all = (of: 'got' | 'expected'): number[] => gradients.flatMap((g) => Array.from(g[of]));
  const single = gradients.map(({ name, got, expected }) => ({ name, error: relativeError(got, expected) }));
  return {
    gradientError: relativeError(all('got'), all('expected')),
    worstParameter: single.reduce((worst, s) => (s.error > worst.error ? s : worst)),
  };
}
