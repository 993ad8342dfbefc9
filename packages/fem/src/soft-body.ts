import type { Entity, Scene } from '@gradsim/core';
import { refuseUnknownOptions } from '@gradsim/core';
import type { TetMesh } from '@gradsim/mesh';
import { checkMesh, checkVerticesUsed, tetCount } from '@gradsim/mesh';
import type { OneOrEach, ParticleOptions } from '@gradsim/particles';
import { addParticles, PARTICLE_OPTIONS, perElement } from '@gradsim/particles';
import { Tet } from './tet.ts';

/** What {@link addSoftBody} gives particles and elements: one value for all, or one for each. */
export interface SoftBodyOptions extends ParticleOptions {
  /** Pa. */
  readonly mu: OneOrEach;
  /** Pa. */
  readonly lambda: OneOrEach;
  /** Pa s. Default 0. */
  readonly damping?: OneOrEach;
  /** Default 0. */
  readonly actuation?: OneOrEach;
  /** kg/m^3. Default 0: then each particle has `mass`. */
  readonly density?: OneOrEach;
}

const OPTIONS = { mu: true, lambda: true, damping: true, actuation: true, density: true } as const;

/**
 * Adds the particles and elements of a soft body.
 *
 * ```ts
 * const beam = addSoftBody(scene, tetBox({ cells: [10, 2, 2], size: [1, 0.2, 0.2] }), {
 *   mu: 1e4, lambda: 1e4, density: 1000, damping: 5,
 * });
 * ```
 * @returns the new entities, in the mesh's order.
 * @throws for an option that there is not, when the mesh is none (`checkMesh` of `@gradsim/mesh`), a vertex is in no element, `fixed` names a vertex that
 * is not there, or a value is refused by the scene.
 */
export function addSoftBody(
  scene: Scene,
  mesh: TetMesh,
  options: SoftBodyOptions,
): { particles: Entity[]; tets: Entity[] } {
  refuseUnknownOptions<SoftBodyOptions>('addSoftBody', options, { ...PARTICLE_OPTIONS, ...OPTIONS });
  checkMesh(mesh);
  checkVerticesUsed(mesh);
  const { mass, velocity, fixed } = options;
  const particles = addParticles(scene, mesh.positions, { mass, velocity, fixed });
  const count = tetCount(mesh);
  const tets = scene.addMany(Tet, count, {
    vertices: Array.from(mesh.tets, (vertex) => particles[vertex]),
    mu: perElement(options.mu, count),
    lambda: perElement(options.lambda, count),
    damping: perElement(options.damping, count),
    actuation: perElement(options.actuation, count),
    density: perElement(options.density, count),
  });
  return { particles, tets };
}
