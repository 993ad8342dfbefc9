/** Errors of one reference case, each relative to the largest expected magnitude. */
export interface CheckResult {
  lossError: number;
  /** Error of rollouts: over positions and velocities at the end, each relative to their own largest. */
  stateError?: number;
  /** Error of pictures: over all channels of all pixels. */
  imageError?: number;
  /** Error over the derivatives of the loss with respect to all parameters that the file has them for. */
  gradientError: number;
  /**
   * Parameter with the largest gradient error relative to its own largest component: stricter, and in its own units.
   */
  worstParameter: { name: string; error: number };
  /** Error over the derivatives of the alpha part of the loss. */
  alphaGradientError?: number;
  finiteDifferenceError?: number;
}

/** Largest difference, relative to the largest expected magnitude. */
export function relativeError(got: ArrayLike<number>, expected: ArrayLike<number>): number {
  let difference = 0;
  let magnitude = 0;
  for (let k = 0; k < expected.length; k++) {
    difference = Math.max(difference, Math.abs(got[k] - expected[k]));
    magnitude = Math.max(magnitude, Math.abs(expected[k]));
  }
  return magnitude === 0 ? difference : difference / magnitude;
}

/** A gradient and its expected value. */
export interface GradientPair {
  readonly name: string;
  readonly got: ArrayLike<number>;
  readonly expected: ArrayLike<number>;
}

/** Errors of gradients: of all parameters together, and of the one with the largest error relative to itself. */
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
