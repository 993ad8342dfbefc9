import { defineOffer } from '@gradsim/core';

/** Elements between particles that distribute their mass to them, by adding to `Particle.totalMass` in setup. */
export interface MassShares {
  /** Indices of the particles of each element, all elements in one flat array. */
  readonly particles: ArrayLike<number>;
  /** Number of particles per element. */
  readonly particleCount: number;
  /** Density of each element, kg/m^3, kg/m^2 or kg/m by its dimension; one with density 0 has no mass to share. */
  readonly density: ArrayLike<number>;
}

/**
 * Offer of elements that share their mass among particles. Particles that such an element with a density connects need
 * no mass of their own.
 *
 * ```ts
 * model.offer(MassShares, { particles: corners, of: 3, density });
 * ```
 */
export const MassShares = defineOffer<MassShares>('elements that share mass');
