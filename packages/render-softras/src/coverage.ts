import type { Bool, F32 } from '@gradsim/core';
import { exp, f32, max, select } from '@gradsim/core';
import { NEGLIGIBLE_EXPONENT } from './options.ts';

/** exp(x) for x <= 0; clamped where negligible, so that the result is never subnormal. */
export const expOf = (x: F32): F32 => exp(max(x, -NEGLIGIBLE_EXPONENT));

/** Coverage of a pixel by a face: `sigmoid(x)` for `x = d^2 / sigma` inside and `-d^2 / sigma` outside. */
export interface Coverage {
  readonly covered: F32;
  /** Complement, `sigmoid(-x)`, accurate where `1 - covered` would round to zero. */
  readonly open: F32;
}

export function coverageOf(distance2: F32, inside: Bool, sigma: number): Coverage {
  const e = expOf(distance2.mul(-1 / sigma));
  const more = f32(1).div(e.add(1));
  const less = e.mul(more);
  return { covered: select(inside, more, less), open: select(inside, less, more) };
}

/**
 * Openness at which further factors are ignored; alpha is 1 long before. A further factor of exp(-{@link
 * NEGLIGIBLE_EXPONENT}) then still is a normal number: underflow takes a hundred times as long.
 */
const MIN_OPEN = 1e-15;

/**
 * Alpha of a pixel with total openness `open`: exactly 1 once further factors are ignored, so that its adjoint is 0.
 */
export const alphaOf = (open: F32): F32 => f32(1).sub(select(open.gt(MIN_OPEN), open, f32(0)));

/** Updates the openness of a pixel by the factor `open` of one more face. */
export function stillOpen(before: F32, open: F32): F32 {
  return max(before.mul(open), MIN_OPEN);
}
