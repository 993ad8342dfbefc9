import type { F32, Surroundings } from '@gradsim/core';
import { max, select } from '@gradsim/core';

/**
 * The part of the present substep, from 0 to 1, that a window of time covers: for what acts from `start` to `end` (s).
 *
 * It is the difference of what lies before the end and before the start. Each instant belongs to one substep alone,
 * [n dt, (n + 1) dt), so that the derivatives with respect to start and end come in once, at whole substeps too.
 *
 * ```ts
 * ({ body, force, start, end, sum }, clock) => sum.add(body, force.mul(coveredPart(start, end, clock)))
 * ```
 */
export function coveredPart(start: F32, end: F32, { substep, dt }: Pick<Surroundings, 'substep' | 'dt'>): F32 {
  const [from, to] = [substep.toF32().mul(dt), substep.add(1).toF32().mul(dt)];
  const partBefore = (t: F32): F32 => select(t.lt(from), 0, select(t.lt(to), t.sub(from).div(dt), 1));
  return max(partBefore(end).sub(partBefore(start)), 0);
}
