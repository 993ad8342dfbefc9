import type { Bool, F32 } from '@gradsim/core';
import { exp, f32, select } from '@gradsim/core';

/** How much of a pixel a face covers, `sigmoid(x)` for `x = d^2 / sigma` inside and `-d^2 / sigma` outside. */
export interface Coverage {
  readonly covered: F32;
  /** The rest, `sigmoid(-x)`, exact where `1 - covered` would round to nothing. */
  readonly open: F32;
}

export function coverageOf(distance2: F32, inside: Bool, sigma: number): Coverage {
  const e = exp(distance2.mul(-1 / sigma));
  const more = f32(1).div(e.add(1));
  const less = e.mul(more);
  return { covered: select(inside, more, less), open: select(inside, less, more) };
}
