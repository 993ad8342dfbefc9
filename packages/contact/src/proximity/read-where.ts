import type { Bool, Carry, U32 } from '@gradsim/core';
import { forRange, select, u32 } from '@gradsim/core';

/**
 * What `body` makes of `before` where the condition holds, else `before`. Reads at `here(index)` are done only then, while
 * reads in a `when` rise out of it: a loop of one round or none, whose counter is part of the index.
 */
export function readWhere<C extends Carry>(
  condition: Bool,
  before: C,
  body: (here: (index: U32) => U32, before: C) => NoInfer<C>,
): C {
  return forRange(0, select(condition, u32(1), u32(0)), before, (round, inner) =>
    body((index) => index.add(round), inner),
  );
}
