import type { Bool, F32 } from '@gradsim/core';
import { exp, f32, max, select } from '@gradsim/core';
import { NEGLIGIBLE_EXPONENT } from './options.ts';

/** exp(x) for x <= 0; where that counts as nothing it is not exact, but no smaller than a normal number. */
export const expOf = (x: F32): F32 => exp(max(x, -NEGLIGIBLE_EXPONENT));

/** How much of a pixel a face covers, `sigmoid(x)` for `x = d^2 / sigma` inside and `-d^2 / sigma` outside. */
export interface Coverage {
  readonly covered: F32;
  /** The rest, `sigmoid(-x)`, exact where `1 - covered` would round to nothing. */
  readonly open: F32;
}

export function coverageOf(distance2: F32, inside: Bool, sigma: number): Coverage {
  const e = expOf(distance2.mul(-1 / sigma));
  const more = f32(1).div(e.add(1));
  const less = e.mul(more);
  return { covered: select(inside, more, less), open: select(inside, less, more) };
}

/**
 * Alpha is 1 long before so little is left open. It stays there, so that a further factor of
 * exp(-{@link NEGLIGIBLE_EXPONENT}) still gives a normal number: underflow takes a hundred times as long.
 */
const LEAST_OPEN = 1e-15;

/** Alpha of a pixel of which all faces leave `open`: exactly 1 where no more is counted, so that its adjoint sees 0. */
export const alphaOf = (open: F32): F32 => f32(1).sub(select(open.gt(LEAST_OPEN), open, f32(0)));

/** What is left open of a pixel when one more face leaves `open` of it. */
export function stillOpen(before: F32, open: F32): F32 {
  return max(before.mul(open), LEAST_OPEN);
}
