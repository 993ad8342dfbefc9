import type { Entity, Scene } from '@gradsim/core';
import { refuseUnknownOptions } from '@gradsim/core';
import type { LineMesh } from '@gradsim/mesh';
import { checkMesh, cornersOf, lineCount, longestEdge } from '@gradsim/mesh';
import type { OneOrEach, ParticleOptions } from '@gradsim/particles';
import { addParticles, PARTICLE_OPTIONS, perElement } from '@gradsim/particles';
import { Spring } from './spring.ts';

/** Options of {@link addSprings} for particles and springs: one value for all of them, or one for each. */
export interface SpringOptions extends ParticleOptions {
  /** Mass of each particle, kg. */
  readonly mass: OneOrEach;
  /** Spring constant, N/m. */
  readonly stiffness: OneOrEach;
  /** Damping c, N s/m: force c l' along the spring, against the rate l' of its length. Default 0. */
  readonly damping?: OneOrEach;
  /** Rest length, m. Default: the length of each line in the mesh. */
  readonly restLength?: OneOrEach;
  /** Relative change a of the rest length, l0 (1 + a). Default 0. */
  readonly actuation?: OneOrEach;
}

const OPTIONS = { stiffness: true, damping: true, restLength: true, actuation: true } as const;

/**
 * Adds the vertices of a mesh of lines as particles, and its lines as springs.
 *
 * ```ts
 * const rope = addSprings(scene, chain({ from: [0, 1, 0], to: [1, 1, 0], segments: 10 }), {
 *   mass: 0.01, stiffness: 500, damping: 0.2, fixed: [0, 10],
 * });
 * ```
 * @returns the new entities, in the mesh's order.
 * @throws for an unknown option, when the mesh is invalid (`checkMesh` of `@gradsim/mesh`), `fixed` names a vertex that
 * does not exist, or values are refused by the scene.
 */
export function addSprings(
  scene: Scene,
  mesh: LineMesh,
  options: SpringOptions,
): { particles: Entity[]; springs: Entity[] } {
  refuseUnknownOptions<SpringOptions>('addSprings', options, { ...PARTICLE_OPTIONS, ...OPTIONS });
  checkMesh(mesh);
  const { mass, velocity, fixed } = options;
  const name = scene.nameGroup('spring mesh', options.name ?? mesh.name);
  const label = (noun: string) => (element: number) => `${noun} ${element} of ${name}`;
  const particles = addParticles(scene, mesh.positions, { mass, velocity, fixed }, label('vertex'));
  const count = lineCount(mesh);
  const values = {
    ends: Array.from(mesh.lines, (vertex) => particles[vertex]),
    stiffness: perElement(options.stiffness, count),
    damping: perElement(options.damping, count),
    restLength: perElement(options.restLength ?? lengthsOf(mesh), count),
    actuation: perElement(options.actuation, count),
  };
  return { particles, springs: scene.addMany(Spring, count, values, label('spring')) };
}

const lengthsOf = (mesh: LineMesh): Float64Array =>
  Float64Array.from({ length: lineCount(mesh) }, (_, k) => longestEdge(cornersOf(mesh, k)));
