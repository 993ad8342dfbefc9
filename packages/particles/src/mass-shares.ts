import { defineOffer } from '@gradsim/core';

/** Elements between particles that share their mass among them, by adding to `Particle.totalMass` in setup. */
export interface MassShares {
  /** The particles of each element, all elements one after another. */
  readonly particles: ArrayLike<number>;
  /** How many particles an element has. */
  readonly of: number;
  /** A density of each element, of any dimension: where it is 0, there is no mass to share. */
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
