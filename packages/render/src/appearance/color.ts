import type { F32, Mat33, Vec3 } from '@gradsim/core';
import { mat33, vec3 } from '@gradsim/core';
import type { Three } from '../three.ts';

/** What `color` holds of a face: one colour, or three as rows. */
export type Colors = Vec3 | Mat33;

/**
 * The field type of `color`, typed as one colour a face; what a kernel reads of it is told apart by whether it is a
 * matrix.
 */
export const colorType = (colors: 'face' | 'corner'): typeof vec3 => (colors === 'face' ? vec3 : mat33) as typeof vec3;

/** The colour that a face shows to a pixel. */
export function colorAt(colors: Colors, shares: Three<F32>): Vec3 {
  if (!('row' in colors)) return colors;
  return colors.row(0).mul(shares[0]).add(colors.row(1).mul(shares[1])).add(colors.row(2).mul(shares[2]));
}

/** Adds to the adjoints of a face's colours that of the colour it shows. */
export function addColorBar(sums: Colors, bar: Vec3, shares: Three<F32>): Colors {
  if (!('row' in sums)) return sums.add(bar);
  return sums.add(mat33(...shares.flatMap((s) => bar.mul(s).components)));
}
