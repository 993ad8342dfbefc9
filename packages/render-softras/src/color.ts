import type { F32, Mat33, Vec3 } from '@gradsim/core';
import { f32, mat33, select, vec3 } from '@gradsim/core';
import type { RasterSettings } from './options.ts';
import type { Depth, Three } from './triangle.ts';

/** What `color` holds of a face: one colour, or three as rows. */
export type Colors = Vec3 | Mat33;

/**
 * The field type of `color`, typed as one colour a face; what a kernel reads of it is told apart by whether it is a
 * matrix.
 */
export const colorType = ({ colors }: RasterSettings): typeof vec3 =>
  (colors === 'face' ? vec3 : mat33) as typeof vec3;

/** How much each of the colours of a face has in what it shows to a pixel. They add up to 1. */
export function colorShares({ colors }: RasterSettings, { share, clipped }: Depth): Three<F32> {
  if (colors !== 'texel') return share;
  const at = (k: 0 | 1): F32 => {
    const alone = clipped[(k + 1) % 3].eq(0).and(clipped[(k + 2) % 3].eq(0));
    return select(alone, f32(1), f32(0));
  };
  const [first, second] = [at(0), at(1)];
  return [first, second, f32(1).sub(first.add(second))];
}

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
