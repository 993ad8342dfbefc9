import type { F32, Surroundings } from '@gradsim/core';

/**
 * Time over which the forces at a state change velocities, s. In a leapfrog velocities are those in the middle of
 * substeps, so it is from the middle of the substep before to the middle of this one: `dt`, except in the first substep
 * of a frame with another duration. Free fall is then exact at uneven times too.
 */
export const kickDuration = ({ dt, previousDt }: Pick<Surroundings, 'dt' | 'previousDt'>): F32 =>
  dt.add(previousDt).mul(0.5);
