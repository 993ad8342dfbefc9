import type { Entity, Scene } from '@gradsim/core';
import { Particle } from '@gradsim/particles';
import type { TetMesh } from './grid.ts';
import { Tet } from './tet.ts';

/** What {@link addSoftBody} gives particles and elements: one value for all, or one for each. */
export interface SoftBodyOptions {
  /** Pa. */
  readonly mu: number | ArrayLike<number>;
  /** Pa. */
  readonly lambda: number | ArrayLike<number>;
  /** Pa s. Default 0. */
  readonly damping?: number | ArrayLike<number>;
  /** Default 0. */
  readonly actuation?: number | ArrayLike<number>;
  /** kg/m^3. Default 0: then each particle has `mass`. */
  readonly density?: number | ArrayLike<number>;
  /** kg of each particle, beside its shares of the elements. Default 0. */
  readonly mass?: number | ArrayLike<number>;
  /** Of all particles, or of each, m/s. Default at rest. */
  readonly velocity?: ArrayLike<number>;
  /** Numbers of the particles that never move. */
  readonly fixed?: readonly number[];
}

/**
 * Adds the particles and elements of a soft body.
 *
 * ```ts
 * const beam = addSoftBody(scene, tetGrid({ cells: [10, 2, 2], size: [1, 0.2, 0.2] }), {
 *   mu: 1e4, lambda: 1e4, density: 1000, damping: 5,
 * });
 * ```
 * @returns the new entities, in the mesh's order.
 * @throws when an element or `fixed` names a vertex that is not there, a vertex is in no element, or a value
 * is refused by the scene.
 */
export function addSoftBody(
  scene: Scene,
  { positions, tets }: TetMesh,
  options: SoftBodyOptions,
): { particles: Entity[]; tets: Entity[] } {
  const [points, elements] = [positions.length / 3, tets.length / 4];
  for (let k = 0; k < tets.length; k++) {
    if (!Number.isInteger(tets[k]) || tets[k] < 0 || tets[k] >= points)
      throw new Error(
        `addSoftBody: element ${Math.floor(k / 4)} names vertex ${tets[k]}; the mesh has ${points} vertices.`,
      );
  }
  const used = new Uint8Array(points);
  for (let k = 0; k < tets.length; k++) used[tets[k]] = 1;
  if (used.includes(0))
    throw new Error(
      `addSoftBody: vertex ${used.indexOf(0)} of the mesh is in no element; remove it, and count the others anew.`,
    );
  const fixed = new Float64Array(points);
  for (const k of options.fixed ?? []) {
    if (!(k in fixed))
      throw new Error(`addSoftBody: fixed names vertex ${k}; the mesh has ${points} vertices.`);
    fixed[k] = 1;
  }
  const { velocity = [0, 0, 0], mass = 0 } = options;
  const particles = scene.addMany(Particle, points, {
    position: positions,
    velocity:
      velocity.length === 3 ? Float64Array.from({ length: 3 * points }, (_, k) => velocity[k % 3]) : velocity,
    mass: each(mass, points),
    fixed,
  });
  const added = scene.addMany(Tet, elements, {
    vertices: Array.from(tets, (vertex) => particles[vertex]),
    mu: each(options.mu, elements),
    lambda: each(options.lambda, elements),
    damping: each(options.damping ?? 0, elements),
    actuation: each(options.actuation ?? 0, elements),
    density: each(options.density ?? 0, elements),
  });
  return { particles, tets: added };
}

const each = (value: number | ArrayLike<number>, count: number): ArrayLike<number> =>
  typeof value === 'number' ? new Float64Array(count).fill(value) : value;
