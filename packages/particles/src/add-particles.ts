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
  /** Name of them all in messages, such as `vertex 7 of cloth "flag"`. Default the mesh's, or their number in the scene. */
  readonly name?: string;
}

/** Keys of {@link ParticleOptions}. */
export const PARTICLE_OPTIONS = { mass: true, velocity: true, fixed: true, name: true } as const;

/**
 * Adds particles, in the order of their positions.
 *
 * ```ts
 * const drops = addParticles(scene, [0, 1, 0, 0.1, 1, 0], { mass: 0.01, velocity: [0, -1, 0] });
 * ```
 * @param positions x, y, z of each, m: those of a mesh, say.
 * @param label name of each in messages. Default `particle 7 of particles "drops"`, with the `name` of all.
 * @throws for an unknown option, when `fixed` has a number that no particle has, or the scene refuses values.
 */
export function addParticles(
  scene: Scene,
  positions: ArrayLike<number>,
  options: ParticleOptions = {},
  label?: (particle: number) => string,
): Entity[] {
  refuseUnknownOptions('addParticles', options, PARTICLE_OPTIONS);
  const { mass, velocity, fixed = [], name } = options;
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
  const values = {
    position: positions,
    velocity: velocity && forEach(velocity, count),
    mass: perElement(mass, count),
    fixed: isFixed,
  };
  const all = label ? '' : scene.nameGroup('particles', name);
  return scene.addMany(Particle, count, values, label ?? ((particle) => `particle ${particle} of ${all}`));
}

const forEach = (velocity: ArrayLike<number>, count: number): ArrayLike<number> =>
  velocity.length === 3 ? Float64Array.from({ length: 3 * count }, (_, k) => velocity[k % 3]) : velocity;
