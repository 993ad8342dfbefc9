import { symmetricEigen } from '@gradsim/base/decompositions';

/**
 * Levenberg-Marquardt step -(H + lambda diag(H))^-1 g, computed with a unit diagonal of H. Coordinates on which nothing
 * depends do not move. If a component exceeds its maximum in `longest`, the whole step is shortened.
 */
export function dampedStep(
  hessian: ArrayLike<number>,
  gradient: ArrayLike<number>,
  lambda: number,
  longest: ArrayLike<number>,
): Float64Array {
  const n = gradient.length;
  const root = Float64Array.from({ length: n }, (_, k) => Math.sqrt(Math.max(hessian[k * n + k], 0)) || 1);
  const scaled = Float64Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    return hessian[at] / (root[i] * root[j]);
  });
  const { values, vectors } = symmetricEigen(scaled);
  const step = new Float64Array(n);
  values.forEach((value, k) => {
    const along = vectors[k].reduce((sum, v, i) => sum + (v * gradient[i]) / root[i], 0);
    const amount = -along / (Math.max(value, 0) + lambda);
    vectors[k].forEach((v, i) => {
      step[i] += (amount * v) / root[i];
    });
  });
  let shrink = 1;
  for (let i = 0; i < n; i++) shrink = Math.min(shrink, longest[i] / Math.max(Math.abs(step[i]), 1e-300));
  return step.map((s) => s * shrink);
}
