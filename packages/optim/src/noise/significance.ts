/**
 * False-alarm rates that the verdict's tests are designed for. `test/verdict/right-models.test.ts` prints the actual
 * rates for correct models: none of its 252 estimates was distrusted, and none of the 480 of
 * `test/intervals/coverage.test.ts`.
 */
export const FALSE_ALARMS = {
  /** Rate for residuals that seem larger than the stated noise. */
  noise: 1e-3,
  /** Rate for each kind of departure of the film from the model, over all candidates of that kind. */
  departure: 2e-4,
  /** Rate for several unknowns that deviate jointly from their priors, each by an insignificant amount. */
  priors: 1e-3,
} as const;

/**
 * Probability that Student's t with `freedom` degrees of freedom exceeds t (one-sided). Source: Abramowitz and Stegun,
 * 26.7.1.
 */
export function studentTail(t: number, freedom: number): number {
  const both = incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
  return t > 0 ? both / 2 : 1 - both / 2;
}

/**
 * Probability that F with these degrees of freedom exceeds f. With infinitely many in the denominator, F is chi square
 * divided by the degrees of freedom of the numerator. Source: Abramowitz and Stegun, 26.6.2.
 */
export function ratioTail(f: number, numerator: number, denominator: number): number {
  if (!(f > 0)) return 1;
  // Beyond this, more degrees of freedom make no difference in single precision.
  const below = Math.min(denominator, 1e7);
  return incompleteBeta(below / (below + numerator * f), below / 2, numerator / 2);
}

/**
 * Regularised incomplete beta function I_x(a, b), by its continued fraction. Source: W. H. Press et al., Numerical
 * Recipes, 6.4.
 */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  // Lentz's method for the fraction's terms.
  let [c, d] = [1, 1 / apart(1 - ((a + b) * x) / (a + 1))];
  let fraction = d;
  for (let m = 1; m <= MAX_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const term of [even, odd]) {
      d = 1 / apart(1 + term * d);
      c = apart(1 + term / c);
      change = d * c;
      fraction *= change;
    }
    if (Math.abs(change - 1) < 1e-12) break;
  }
  return front * fraction;
}

/**
 * Maximum number of terms of the continued fraction; a few times the square root of the larger of a and b are enough.
 */
const MAX_TERMS = 20_000;

const apart = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value);

/**
 * Natural logarithm of the gamma function: by Stirling's series for x >= 10, exact to 1e-11, and below by Gamma(x) =
 * Gamma(x + 1) / x. Source: Abramowitz and Stegun, 6.1.41.
 */
function logGamma(x: number): number {
  if (x < 10) return logGamma(x + 1) - Math.log(x);
  const square = x * x;
  const series = (1 / 12 - (1 / 360 - 1 / (1260 * square)) / square) / x;
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series;
}
