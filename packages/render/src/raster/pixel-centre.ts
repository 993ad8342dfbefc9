import type { F32, U32, Vec2 } from '@gradsim/core';
import { vec2 } from '@gradsim/core';
import { deviceX, deviceY } from '../pixels.ts';
import type { RasterShape } from './shape.ts';

/** x of the centre of a pixel column, as distances are measured, inside a kernel. */
export function centreX({ layout, aspect }: RasterShape, column: U32): F32 {
  const x = deviceX(layout, column);
  return aspect === 1 ? x : x.mul(aspect);
}

/** The centre of a pixel, likewise. */
export const centreOf = (shape: RasterShape, { column, row }: { readonly column: U32; readonly row: U32 }): Vec2 =>
  vec2(centreX(shape, column), deviceY(shape.layout, row));
