import type { F32, Surroundings } from '@gradsim/core';
import { select } from '@gradsim/core';

/**
 * Fraction of the current substep, in [0, 1], that lies within the time window from `start` to `end` (s).
 *
 * It is the fraction before the end minus that before the start. Each instant belongs to one substep alone, from its
 * time on and before that of the next, so that the derivatives with respect to start and end are counted once, also where start or end is a whole
 * number of substeps.
 *
 * ```ts
 * ({ body, force, start, end, sum }, clock) => sum.add(body, force.mul(windowShare(start, end, clock)))
 * ```
 */
export function windowShare(
  start: F32,
  end: F32,
  { time: from, nextTime: to, dt }: Pick<Surroundings, 'time' | 'nextTime' | 'dt'>,
): F32 {
  const partBefore = (t: F32): F32 => select(t.lt(from), 0, select(t.lt(to), t.sub(from).div(dt), 1));
  // Not by max: where a window ends with a substep the next one covers 0 of it, a tie that would halve its derivative.
  return select(end.ge(start), partBefore(end).sub(partBefore(start)), 0);
}
