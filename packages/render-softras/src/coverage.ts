import type { Bool, F32 } from '@gradsim/core';
import { exp, f32, max, select } from '@gradsim/core';
import { NEGLIGIBLE_EXPONENT } from './options.ts';

/** exp(x) for x <= 0; clamped where negligible, so that the result is never subnormal. */
export const expOf = (x: F32): F32 => exp(max(x, -NEGLIGIBLE_EXPONENT));

/**
 * Coverage of a pixel by a face: `sigmoid(x)`, where x is `d^2 / sigma` inside and `-d^2 / sigma` outside, d being the
 * distance to the outline.
 */
export interface Coverage {
  readonly covered: F32;
  /** Openness, the complement `sigmoid(-x)`: accurate where `1 - covered` would round to zero. */
  readonly open: F32;
}

export function coverageOf(distance2: F32, inside: Bool, sigma: number): Coverage {
  const e = expOf(distance2.mul(-1 / sigma));
  const more = f32(1).div(e.add(1));
  const less = e.mul(more);
  return { covered: select(inside, more, less), open: select(inside, less, more) };
}

/**
 * Lower bound of a pixel's openness, the product of those of its faces; alpha is 1 to rounding long before. A product
 * with one more factor of exp(-{@link NEGLIGIBLE_EXPONENT}) is then still a normal number; subnormal ones take a
 * hundred times as long.
 */
const MIN_OPEN = 1e-15;

/**
 * Alpha of a pixel with openness `open`, the product over all faces: exactly 1 at the lower bound, so that its adjoint
 * is 0 there.
 */
export const alphaOf = (open: F32): F32 => f32(1).sub(select(open.gt(MIN_OPEN), open, f32(0)));

/** Multiplies the openness of a pixel by the openness `open` of one more face, down to `MIN_OPEN`. */
export function stillOpen(before: F32, open: F32): F32 {
  return max(before.mul(open), MIN_OPEN);
}
