import type { F32, U32, Vec2 } from '@gradsim/core';
import { vec2 } from '@gradsim/core';
import { deviceX, deviceY } from '../pixels.ts';
import type { RasterShape } from './shape.ts';

/** Returns x of the centre of a pixel column, in device coordinates times `aspect`, inside a kernel. */
export function centreX({ layout, aspect }: RasterShape, column: U32): F32 {
  const x = deviceX(layout, column);
  return aspect === 1 ? x : x.mul(aspect);
}

/** Returns the centre of a pixel, in device coordinates with x times `aspect`, inside a kernel. */
export const centreOf = (shape: RasterShape, { column, row }: { readonly column: U32; readonly row: U32 }): Vec2 =>
  vec2(centreX(shape, column), deviceY(shape.layout, row));
