import type { F32 } from '@gradsim/core';
import { abs, max, select, sign } from '@gradsim/core';

/**
 * Returns how far a coordinate lies beyond the interval from -half to half, with its sign; 0 within. An interval of
 * length 0, the axis of a capsule or the centre of a ball, has no inside: there it is the coordinate itself, whose
 * derivative is 1 at 0 too, so that the normal turns with the point.
 */
export const excessBeyond = (coordinate: F32, half: F32): F32 =>
  select(half.gt(0), sign(coordinate).mul(max(abs(coordinate).sub(half), 0)), coordinate);
