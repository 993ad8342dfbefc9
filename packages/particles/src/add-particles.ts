import type { Entity, Scene } from '@gradsim/core';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import { Particle } from './particle.ts';
import type { OneOrEach } from './per-element.ts';
import { perElement } from './per-element.ts';

/** Options of {@link addParticles}, shared by functions that add particles with elements between them. */
export interface ParticleOptions {
  /** Mass of each particle in kg, besides the shares of elements with a density. Default 0. */
  readonly mass?: OneOrEach;
  /** Velocity in m/s: x, y, z for all particles, or for each. Default at rest. */
  readonly velocity?: ArrayLike<number>;
  /** Indices of the particles that never move. */
  readonly fixed?: Iterable<number>;
}

/** Keys of {@link ParticleOptions}. */
export const PARTICLE_OPTIONS = { mass: true, velocity: true, fixed: true } as const;

/**
 * Adds particles, in the order of their positions.
 *
 * ```ts
 * const drops = addParticles(scene, [0, 1, 0, 0.1, 1, 0], { mass: 0.01, velocity: [0, -1, 0] });
 * ```
 * @param positions x, y, z of each, m: those of a mesh, say.
 * @throws for an option that there is not, when `fixed` has a number that no particle has, or the scene refuses values.
 */
export function addParticles(scene: Scene, positions: ArrayLike<number>, options: ParticleOptions = {}): Entity[] {
  refuseUnknownOptions('addParticles', options, PARTICLE_OPTIONS);
  const { mass, velocity, fixed = [] } = options;
  const count = positions.length / 3;
  const isFixed = new Float64Array(count);
  for (const k of fixed) {
    if (!(k in isFixed))
      throw new GradsimError(
        'particles/no-such-particle',
        `addParticles: fixed names particle ${k}, but there are ${count}, 0 to ${count - 1}.`,
        { field: 'fixed' },
      );
    isFixed[k] = 1;
  }
  return scene.addMany(Particle, count, {
    position: positions,
    velocity: velocity && forEach(velocity, count),
    mass: perElement(mass, count),
    fixed: isFixed,
  });
}

const forEach = (velocity: ArrayLike<number>, count: number): ArrayLike<number> =>
  velocity.length === 3 ? Float64Array.from({ length: 3 * count }, (_, k) => velocity[k % 3]) : velocity;
