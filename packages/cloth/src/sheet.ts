import type { Entity, Scene } from '@gradsim/core';
import { Particle } from '@gradsim/particles';
import { Hinge, Triangle } from './components.ts';
import { angleOf } from './shape.ts';
import type { SheetMesh } from './topology.ts';
import { findHinges } from './topology.ts';

type Values = number | ArrayLike<number>;

/** What {@link addCloth} gives particles, triangles and hinges: one value for all, or one for each. */
export interface ClothOptions {
  /** N/m. */
  readonly mu: Values;
  /** N/m. */
  readonly lambda: Values;
  /** N s/m. Default 0. */
  readonly damping?: Values;
  /** Default 0. */
  readonly actuation?: Values;
  /** kg/m^2. Default 0: then each particle has `mass`. */
  readonly density?: Values;
  /** kg/m^3. Default 0. */
  readonly drag?: Values;
  /** kg/m^3. Default 0. */
  readonly lift?: Values;
  /** N m, of each hinge. Without it and `bendDamping`, the sheet has no hinges. */
  readonly bendStiffness?: Values;
  /** N s, of each hinge. Default 0. */
  readonly bendDamping?: Values;
  /** rad, of each hinge. Default: the angles of the mesh. */
  readonly restAngle?: Values;
  /** rad, of each hinge. Default 0. */
  readonly bendActuation?: Values;
  /** kg of each particle, beside its shares of the triangles. Default 0. */
  readonly mass?: Values;
  /** Of all particles, or of each, m/s. Default at rest. */
  readonly velocity?: ArrayLike<number>;
  /** Numbers of the particles that never move. */
  readonly fixed?: readonly number[];
}

/**
 * Adds the particles, triangles and hinges of a sheet. Hinges are in the order of {@link findHinges}.
 *
 * ```ts
 * const flag = addCloth(scene, sheetGrid({ columns: 16, rows: 8, size: [0.6, 0.3], origin: [0, 1, 0] }), {
 *   mu: 300, lambda: 400, density: 0.2, bendStiffness: 1e-3, drag: 0.5, fixed: [0, 136],
 * });
 * ```
 * @returns the new entities, in the mesh's order.
 * @throws when a triangle or `fixed` names a vertex that is not there, a vertex is in no triangle, an edge has more than
 * two triangles, or values are refused by the scene.
 */
export function addCloth(
  scene: Scene,
  { positions, triangles }: SheetMesh,
  options: ClothOptions,
): { particles: Entity[]; triangles: Entity[]; hinges: Entity[] } {
  const [points, elements] = [positions.length / 3, triangles.length / 3];
  for (let k = 0; k < triangles.length; k++) {
    if (!Number.isInteger(triangles[k]) || triangles[k] < 0 || triangles[k] >= points)
      throw new Error(
        `addCloth: triangle ${Math.floor(k / 3)} names vertex ${triangles[k]}; the mesh has ${points} vertices.`,
      );
  }
  const used = new Uint8Array(points);
  for (let k = 0; k < triangles.length; k++) used[triangles[k]] = 1;
  if (used.includes(0))
    throw new Error(
      `addCloth: vertex ${used.indexOf(0)} of the mesh is in no triangle; sheetFromMesh leaves such vertices out.`,
    );
  const isFixed = new Float64Array(points);
  for (const k of options.fixed ?? []) {
    if (!(k in isFixed))
      throw new Error(`addCloth: fixed names vertex ${k}; the mesh has ${points} vertices.`);
    isFixed[k] = 1;
  }
  // Found in any case: it refuses sheets that are none.
  const found = findHinges(triangles);
  const velocity = options.velocity ?? [0, 0, 0];
  const particles = scene.addMany(Particle, points, {
    position: positions,
    velocity:
      velocity.length === 3 ? Float64Array.from({ length: 3 * points }, (_, k) => velocity[k % 3]) : velocity,
    mass: each(options.mass, points),
    fixed: isFixed,
  });
  const added = scene.addMany(Triangle, elements, {
    vertices: Array.from(triangles, (vertex) => particles[vertex]),
    mu: each(options.mu, elements),
    lambda: each(options.lambda, elements),
    damping: each(options.damping, elements),
    actuation: each(options.actuation, elements),
    density: each(options.density, elements),
    drag: each(options.drag, elements),
    lift: each(options.lift, elements),
  });
  const bends = options.bendStiffness !== undefined || options.bendDamping !== undefined;
  if (!bends) return { particles, triangles: added, hinges: [] };
  const count = found.length / 4;
  const at = (vertex: number): number[] => [0, 1, 2].map((axis) => positions[3 * vertex + axis]);
  const angles = Float64Array.from({ length: count }, (_, h) =>
    angleOf([...found.subarray(4 * h, 4 * h + 4)].map(at)),
  );
  const hinges = scene.addMany(Hinge, count, {
    vertices: Array.from(found, (vertex) => particles[vertex]),
    stiffness: each(options.bendStiffness, count),
    damping: each(options.bendDamping, count),
    restAngle: each(options.restAngle ?? angles, count),
    actuation: each(options.bendActuation, count),
  });
  return { particles, triangles: added, hinges };
}

const each = (value: Values | undefined, count: number): ArrayLike<number> =>
  typeof value === 'object' ? value : new Float64Array(count).fill(value ?? 0);
