import type { F32, Mat33, Vec3 } from '@gradsim/core';
import { mat33, vec3 } from '@gradsim/core';
import type { Three } from '../three.ts';

/** Type of a face's `color` in kernels: one colour, or a matrix whose rows are the colours of its three corners. */
export type Colors = Vec3 | Mat33;

/**
 * Field type of `faces.color`: a vector for one colour per face, a matrix for one per corner. Its static type is that
 * of a vector in both cases; kernels distinguish the two by whether the value is a matrix.
 */
export const colorType = (colors: 'face' | 'corner'): typeof vec3 => (colors === 'face' ? vec3 : mat33) as typeof vec3;

/** Colour of a face at a pixel, interpolated by the weights of its corners if it has three colours. */
export function colorAt(colors: Colors, weights: Three<F32>): Vec3 {
  if (!('row' in colors)) return colors;
  return colors.row(0).mul(weights[0]).add(colors.row(1).mul(weights[1])).add(colors.row(2).mul(weights[2]));
}

/**
 * Adds the adjoint of the colour shown at a pixel, by the weights of the corners, to the adjoints of a face's colours.
 */
export function addColorAdjoint(sums: Colors, bar: Vec3, weights: Three<F32>): Colors {
  if (!('row' in sums)) return sums.add(bar);
  return sums.add(mat33(...weights.flatMap((s) => bar.mul(s).components)));
}
