import type { F32, Mat33 } from '@gradsim/core';
import { abs, f32, identity, Mat, select, sign, sqrt, transpose } from '@gradsim/core';

/** Principal values of a symmetric tensor, and their axes as columns. */
export interface PrincipalAxes {
  readonly values: readonly F32[];
  readonly axes: Mat33;
}

/** Rounds over all three pairs of axes: with five, what is left off the diagonal is below double precision. */
const JACOBI_SWEEPS = 5;
const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const;

/** Symmetric part. */
export const symmetric = (m: Mat33): Mat33 => m.add(transpose(m)).mul(0.5);

/**
 * Principal values and axes, by Jacobi's rotations. Values only: what is derived from it has the derivative of {@link
 * alongAxes}, since that of axes is infinite where two values are equal.
 */
export function principalOf(tensor: Mat33): PrincipalAxes {
  let [m, axes] = [symmetric(tensor), identity(3) as Mat33];
  for (let sweep = 0; sweep < JACOBI_SWEEPS; sweep++)
    for (const [p, q] of PAIRS) {
      const off = m.entry(p, q);
      const isDone = off.eq(0);
      const ratio = m
        .entry(q, q)
        .sub(m.entry(p, p))
        .div(select(isDone, f32(1), off.mul(2)));
      const way = select(ratio.eq(0), f32(1), sign(ratio));
      const tangent = way.div(abs(ratio).add(sqrt(ratio.mul(ratio).add(1))));
      const t = select(isDone, f32(0), tangent);
      const cos = f32(1).div(sqrt(t.mul(t).add(1)));
      const sin = t.mul(cos);
      const turn = new Mat<3>(
        3,
        identity(3).entries.map((entry, k) => {
          const [row, column] = [Math.floor(k / 3), k % 3];
          if (row === column) return row === p || row === q ? cos : entry;
          if (row === p && column === q) return sin;
          return row === q && column === p ? sin.neg() : entry;
        }),
      );
      m = transpose(turn).mul(m).mul(turn);
      axes = axes.mul(turn);
    }
  return { values: [0, 1, 2].map((k) => m.entry(k, k)), axes };
}

/** Tensor with the given values along axes. */
export const tensorOf = (values: readonly F32[], axes: Mat33): Mat33 =>
  new Mat<3>(
    3,
    [0, 1, 2].flatMap((row) =>
      [0, 1, 2].map((column) =>
        values.map((v, k) => v.mul(axes.entry(row, k)).mul(axes.entry(column, k))).reduce((a, b) => a.add(b)),
      ),
    ),
  );

/** Turns a tensor into axes: Q^T m Q. */
export const inAxes = (m: Mat33, axes: Mat33): Mat33 => transpose(axes).mul(m).mul(axes);
/** Turns a tensor back from axes: Q m Q^T. */
export const fromAxes = (m: Mat33, axes: Mat33): Mat33 => axes.mul(m).mul(transpose(axes));

/**
 * Derivative of a function of each principal value, in the principal axes, along a tensor in them: entry (i, j) is
 * multiplied by the difference of both results over that of both values, and by the slope where these are equal. It is
 * its own transpose. Source: R. Bhatia, Matrix Analysis, 1997, theorem V.3.3 (Daleckii and Krein).
 */
export function alongAxes(
  along: Mat33,
  values: readonly F32[],
  results: readonly F32[],
  slopes: readonly F32[],
): Mat33 {
  return new Mat<3>(
    3,
    along.entries.map((entry, k) => {
      const [i, j] = [Math.floor(k / 3), k % 3];
      if (i === j) return entry.mul(slopes[i]);
      const apart = values[i].sub(values[j]);
      const isEqual = apart.eq(0);
      const quotient = results[i].sub(results[j]).div(select(isEqual, f32(1), apart));
      return entry.mul(select(isEqual, slopes[i].add(slopes[j]).mul(0.5), quotient));
    }),
  );
}
