import type { Entity, Scene } from '@gradsim/core';
import { GradsimError, refuseUnknownOptions, refuseWrongType } from '@gradsim/core';
import { Particle } from './particle.ts';
import type { OneOrEach } from './per-element.ts';
import { perElement } from './per-element.ts';

/** Options of {@link addParticles} and of functions that add particles with elements between them. */
export interface ParticleOptions {
  /** Mass of each particle, kg, to which elements with a density add their shares. Default 0. */
  readonly mass?: OneOrEach;
  /** Velocity, m/s: x, y, z for all particles, or x, y, z of each. Default 0. */
  readonly velocity?: ArrayLike<number>;
  /** Indices of the particles that never move. */
  readonly fixed?: Iterable<number>;
  /**
   * Name of the group of particles in messages, such as `vertex 7 of cloth "flag"`. Default: the mesh's name, or the
   * group's number in the scene.
   */
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
 * @param positions x, y, z of each particle in one flat array, m, such as those of a mesh.
 * @param label returns the name of a particle in messages. Default `particle 7 of particles "drops"`, with the `name`
 * option.
 * @throws for an unknown option, when `fixed` names a particle that does not exist, or the scene refuses a value.
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
  refuseWrongType('addParticles: fixed', fixed, 'a list of numbers of particles', isIterable(fixed));
  for (const k of fixed) {
    if (!(Number.isInteger(k) && k >= 0 && k < count))
      throw new GradsimError(
        'particles/no-such-particle',
        `addParticles: fixed names particle ${String(k)}, but there are ${count}, 0 to ${count - 1}.`,
        { field: 'fixed' },
      );
    isFixed[k] = 1;
  }
  const values = {
    position: positions,
    velocity: velocity && velocityPerParticle(velocity, count),
    mass: perElement(mass, count),
    fixed: isFixed,
  };
  const all = label ? '' : scene.nameGroup('particles', name);
  return scene.addMany(Particle, count, values, label ?? ((particle) => `particle ${particle} of ${all}`));
}

const isIterable = (value: unknown): boolean => typeof value === 'object' && value !== null && Symbol.iterator in value;

const velocityPerParticle = (velocity: ArrayLike<number>, count: number): ArrayLike<number> =>
  velocity.length === 3 ? Float64Array.from({ length: 3 * count }, (_, k) => velocity[k % 3]) : velocity;
