import type { Entity, Scene } from '@gradsim/core';
import { refuseUnknownOptions } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { checkMesh, checkVerticesUsed, findHinges, foldAngle, triangleCount } from '@gradsim/mesh';
import type { OneOrEach, ParticleOptions } from '@gradsim/particles';
import { addParticles, PARTICLE_OPTIONS, perElement } from '@gradsim/particles';
import { Hinge, Triangle } from './components.ts';

/** Options of {@link addCloth} for particles, triangles and hinges: one value for all of them, or one for each. */
export interface ClothOptions extends ParticleOptions {
  /** Energy parameter mu, N/m: resistance to shear in the plane. */
  readonly mu: OneOrEach;
  /** Energy parameter lambda, N/m: resistance to changes of area. */
  readonly lambda: OneOrEach;
  /** Damping c on the Green strain, N s/m: stress c F (F'^T F + F^T F'). Default 0. */
  readonly damping?: OneOrEach;
  /** Actuation of triangles, dimensionless: added to the preferred area ratio, so positive values expand. Default 0. */
  readonly actuation?: OneOrEach;
  /** Area density, kg/m^2. Default 0: then each particle has `mass`. */
  readonly density?: OneOrEach;
  /** Drag coefficient, kg/m^3. Default 0. */
  readonly drag?: OneOrEach;
  /** Lift coefficient, kg/m^3. Default 0. */
  readonly lift?: OneOrEach;
  /** Bending stiffness of each hinge, N m. If neither this nor `bendDamping` is given, the sheet has no hinges. */
  readonly bendStiffness?: OneOrEach;
  /** Bending damping of each hinge, N s. Default 0. */
  readonly bendDamping?: OneOrEach;
  /** Rest angle of each hinge, rad. Default: its angle in the mesh. */
  readonly restAngle?: OneOrEach;
  /** Actuation of each hinge, rad, added to half of its angle's difference from rest. Default 0. */
  readonly bendActuation?: OneOrEach;
}

const OPTIONS = {
  mu: true,
  lambda: true,
  damping: true,
  actuation: true,
  density: true,
  drag: true,
  lift: true,
  bendStiffness: true,
  bendDamping: true,
  restAngle: true,
  bendActuation: true,
} as const;

/**
 * Adds the particles, triangles and hinges of a sheet, open or closed. Hinges are in the order of `findHinges` of
 * `@gradsim/mesh`. Vertices at the same place stay separate particles, and triangles at them are not connected: weld
 * the mesh first (`weldMesh`) if they should be.
 *
 * ```ts
 * const sheet = placeMesh(plane({ size: [0.6, 0.3], segments: [16, 8] }), { translation: [0, 1, 0] });
 * const flag = addCloth(scene, sheet, {
 *   mu: 300, lambda: 400, density: 0.2, bendStiffness: 1e-3, drag: 0.5, fixed: [0, 136],
 * });
 * ```
 * @returns the new entities, in the mesh's order.
 * @throws for an unknown option, when the mesh is invalid (`checkMesh` of `@gradsim/mesh`) or not a sheet (an edge has
 * more than two triangles, or two that face opposite ways), a vertex is in no triangle, `fixed` names a vertex that is
 * not there, or values are refused by the scene.
 */
export function addCloth(
  scene: Scene,
  mesh: TriangleMesh,
  options: ClothOptions,
): { particles: Entity[]; triangles: Entity[]; hinges: Entity[] } {
  refuseUnknownOptions<ClothOptions>('addCloth', options, { ...PARTICLE_OPTIONS, ...OPTIONS });
  checkMesh(mesh);
  checkVerticesUsed(mesh);
  // Computed in any case: it refuses meshes that are not sheets.
  const found = findHinges(mesh);
  const { mass, velocity, fixed } = options;
  const name = scene.nameGroup('cloth', options.name ?? mesh.name);
  const label = (noun: string) => (element: number) => `${noun} ${element} of ${name}`;
  const particles = addParticles(scene, mesh.positions, { mass, velocity, fixed }, label('vertex'));
  const count = triangleCount(mesh);
  const values = {
    vertices: Array.from(mesh.triangles, (vertex) => particles[vertex]),
    mu: perElement(options.mu, count),
    lambda: perElement(options.lambda, count),
    damping: perElement(options.damping, count),
    actuation: perElement(options.actuation, count),
    density: perElement(options.density, count),
    drag: perElement(options.drag, count),
    lift: perElement(options.lift, count),
  };
  const triangles = scene.addMany(Triangle, count, values, label('triangle'));
  const bends = options.bendStiffness !== undefined || options.bendDamping !== undefined;
  const hinges = bends
    ? scene.addMany(Hinge, found.length / 4, hingesOf(mesh, found, particles, options), label('hinge'))
    : [];
  return { particles, triangles, hinges };
}

/** Returns the columns of the hinges of a sheet, for `scene.addMany`. */
function hingesOf(
  { positions }: TriangleMesh,
  found: Uint32Array,
  particles: readonly Entity[],
  options: ClothOptions,
) {
  const count = found.length / 4;
  const pointOf = (vertex: number): Float64Array => positions.subarray(3 * vertex, 3 * vertex + 3);
  const angles = Float64Array.from({ length: count }, (_, h) =>
    foldAngle(Array.from(found.subarray(4 * h, 4 * h + 4), pointOf)),
  );
  return {
    vertices: Array.from(found, (vertex) => particles[vertex]),
    stiffness: perElement(options.bendStiffness, count),
    damping: perElement(options.bendDamping, count),
    restAngle: perElement(options.restAngle ?? angles, count),
    actuation: perElement(options.bendActuation, count),
  };
}
