import { symmetricEigen } from '@gradsim/base/decompositions';

/**
 * Levenberg-Marquardt step -(H + lambda diag(H))^-1 g, computed with a unit diagonal of H, in the box of `longest`: a
 * component that would exceed its maximum takes it, and the others are those that are best with it. Were the whole step
 * shortened, an unknown that runs off, such as the logarithm of a friction that is 0, would hold all others. Coordinates
 * on which nothing depends do not move.
 */
export function dampedStep(
  hessian: ArrayLike<number>,
  gradient: ArrayLike<number>,
  lambda: number,
  longest: ArrayLike<number>,
): Float64Array {
  const n = gradient.length;
  const step = new Float64Array(n);
  const free = [...Array(n).keys()];
  while (free.length > 0) {
    const own = unlimited(hessian, gradient, lambda, step, free);
    const past = own.map((s, k) => Math.abs(s) / longest[free[k]]);
    const most = past.indexOf(Math.max(...past));
    if (!(past[most] > 1)) {
      free.forEach((at, k) => {
        step[at] = own[k];
      });
      break;
    }
    const [at] = free.splice(most, 1);
    step[at] = Math.sign(own[most]) * longest[at];
  }
  return step;
}

/** Components `free` of the step, the others having the values in `step`. */
function unlimited(
  hessian: ArrayLike<number>,
  gradient: ArrayLike<number>,
  lambda: number,
  step: Float64Array,
  free: readonly number[],
): Float64Array {
  const n = gradient.length;
  const root = free.map((k) => Math.sqrt(Math.max(hessian[k * n + k], 0)) || 1);
  // With the gradient that the fixed components lead to.
  const g = free.map((k, i) => step.reduce((sum, s, j) => sum + hessian[k * n + j] * s, gradient[k]) / root[i]);
  const scaled = Float64Array.from({ length: free.length ** 2 }, (_, at) => {
    const [i, j] = [Math.floor(at / free.length), at % free.length];
    return hessian[free[i] * n + free[j]] / (root[i] * root[j]);
  });
  const { values, vectors } = symmetricEigen(scaled);
  const own = new Float64Array(free.length);
  values.forEach((value, k) => {
    const along = vectors[k].reduce((sum, v, i) => sum + v * g[i], 0);
    const amount = -along / (Math.max(value, 0) + lambda);
    vectors[k].forEach((v, i) => {
      own[i] += (amount * v) / root[i];
    });
  });
  return own;
}
