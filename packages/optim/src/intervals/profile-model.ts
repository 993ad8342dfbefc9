import { sumOfProducts } from '@gradsim/base';
import { symmetricEigen } from '@gradsim/base/decompositions';
import type { System } from '../objective/system.ts';
import type { Limits } from '../unknowns/limits.ts';

/** Smallest eigenvalue that counts as information, of the other unknowns' Hessian scaled to a unit diagonal. */
const MIN_EIGENVALUE_RATIO = 1e-11;

/** Quadratic model of the loss about a point, for steps of one unknown with the others refitted. */
export interface ProfileModel {
  /** Predicted loss at the present value of the unknown with the other unknowns refitted. */
  readonly refittedLoss: number;
  /** Returns the step of the unknown, to a side, at which the predicted refitted loss equals the target. */
  readonly stepToLoss: (target: number, side: 1 | -1) => number;
  /** Returns the step of all unknowns that minimises the loss when the unknown takes the step s. */
  readonly step: (s: number) => Float64Array;
  /** Change of all unknowns with that of the unknown, the others refitted. */
  readonly direction: Float64Array;
  /** Returns the predicted loss after a step of all unknowns. */
  readonly after: (step: ArrayLike<number>) => number;
}

/**
 * Minimises the quadratic model L + 2 g d + d H d over all unknowns but i; the result is c + 2 b s + a s^2 in the step
 * s of i.
 */
export function profileModel(
  { loss, gradient, hessian }: System,
  i: number,
  x: Float64Array,
  { low, high }: Limits,
  scales: Float64Array,
): ProfileModel {
  const n = gradient.length;
  const isHeld = (k: number): boolean => (x[k] <= low[k] && gradient[k] > 0) || (x[k] >= high[k] && gradient[k] < 0);
  const free = [...Array(n).keys()].filter((k) => k !== i && !isHeld(k));
  const { values, vectors } =
    free.length > 0
      ? symmetricEigen(free.flatMap((j) => free.map((k) => hessian[j * n + k] * scales[j] * scales[k])))
      : { values: [], vectors: [] };
  const least = Math.max(0, ...values) * MIN_EIGENVALUE_RATIO;
  const solved = (right: readonly number[]): number[] => {
    const solution = right.map(() => 0);
    values.forEach((value, e) => {
      if (!(value > least)) return;
      const along = vectors[e].reduce((sum, v, k) => sum + v * right[k] * scales[free[k]], 0) / value;
      vectors[e].forEach((v, k) => {
        solution[k] += along * v * scales[free[k]];
      });
    });
    return solution;
  };
  const g = free.map((k) => gradient[k]);
  const h = free.map((k) => hessian[i * n + k]);
  const [toG, toH] = [solved(g), solved(h)];
  const a = hessian[i * n + i] - sumOfProducts(h, toH);
  const b = gradient[i] - sumOfProducts(h, toG);
  const c = loss - sumOfProducts(g, toG);
  const direction = new Float64Array(n);
  direction[i] = 1;
  free.forEach((k, at) => {
    direction[k] = -toH[at];
  });
  return {
    refittedLoss: c,
    stepToLoss: (target, side) => {
      if (!(a > 0)) return side * scales[i];
      const inside = b * b - a * (c - target);
      return (-b + side * Math.sqrt(Math.max(0, inside))) / a;
    },
    step: (s) => {
      const moved = direction.map((d) => d * s);
      free.forEach((k, at) => {
        moved[k] -= toG[at];
      });
      return moved;
    },
    direction,
    after: (step) => {
      let predicted = loss;
      for (let j = 0; j < n; j++) {
        predicted += 2 * gradient[j] * step[j];
        for (let k = 0; k < n; k++) predicted += step[j] * hessian[j * n + k] * step[k];
      }
      return predicted;
    },
  };
}
