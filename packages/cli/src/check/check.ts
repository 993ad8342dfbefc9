/** Errors of one reference case, each relative to the largest expected magnitude. */
export interface CheckResult {
  lossError?: number;
  stateError?: number;
  imageError?: number;
  gradientError?: number;
  /** The parameter whose gradient is furthest off relative to its own largest component: stricter, and in its own units. */
  worstParameter?: { name: string; error: number };
  /** Where a case departs from the formulas, and is checked by its own: how far the formulas are from it. */
  formulaStateError?: number;
  formulaGradientError?: number;
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

/** Errors of gradients by parameter: of all together, and of the one that is furthest off by its own measure. */
export function gradientErrors(
  gradients: readonly { name: string; got: ArrayLike<number>; expected: ArrayLike<number> }[],
): Required<Pick<CheckResult, 'gradientError' | 'worstParameter'>> {
  const all = (of: 'got' | 'expected'): number[] =>
    gradients.flatMap((g) => Array.from(g[of]).slice(0, g.expected.length));
  const single = gradients.map(({ name, got, expected }) => ({ name, error: relativeError(got, expected) }));
  return {
    gradientError: relativeError(all('got'), all('expected')),
    worstParameter: single.reduce((worst, s) => (s.error > worst.error ? s : worst)),
  };
}
