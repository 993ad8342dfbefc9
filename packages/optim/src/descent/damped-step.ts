import { solvePositiveDefinite } from '@gradsim/base';
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
  const scaled = free.map((k, i) => free.map((j, at) => hessian[k * n + j] / (root[i] * root[at])));
  const damped = scaled.map((row, i) => row.map((h, j) => (i === j ? h + lambda : h)));
  const along = solvePositiveDefinite(damped, g, MIN_PIVOT) ?? alongEigenvectors(scaled, g, lambda);
  return Float64Array.from(along, (amount, i) => -amount / root[i]);
}

/** Smallest pivot, relative to the diagonal, above which it is not mostly rounding. */
const MIN_PIVOT = 1e-10;

/** (A + lambda)^-1 b, with eigenvalues of A that rounding makes negative taken as 0. */
function alongEigenvectors(a: readonly number[][], b: readonly number[], lambda: number): Float64Array {
  const { values, vectors } = symmetricEigen(Float64Array.from(a.flat()));
  const solution = new Float64Array(b.length);
  values.forEach((value, k) => {
    const amount = vectors[k].reduce((sum, v, i) => sum + v * b[i], 0) / (Math.max(value, 0) + lambda);
    vectors[k].forEach((v, i) => {
      solution[i] += amount * v;
    });
  });
  return solution;
}
