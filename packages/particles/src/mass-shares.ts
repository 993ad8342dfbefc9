import { defineOffer } from '@gradsim/core';

/** Elements between particles that distribute their mass to them, by adding to `Particle.totalMass` in setup. */
export interface MassShares {
  /** Particles of each element, all elements one after another. */
  readonly particles: ArrayLike<number>;
  /** Number of particles of an element. */
  readonly of: number;
  /** Density of each element, of any dimension: where it is 0, there is no mass to share. */
  readonly density: ArrayLike<number>;
}

/**
 * Elements that share their mass among particles: what is offered so has to have no mass of its own.
 *
 * ```ts
 * model.offer(MassShares, { particles: corners, of: 3, density });
 * ```
 */
export const MassShares = defineOffer<MassShares>('elements that share mass');
