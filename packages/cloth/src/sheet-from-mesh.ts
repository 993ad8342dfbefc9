import type { SheetMesh } from './topology.ts';
import { findHinges } from './topology.ts';

/** A sheet made of a mesh. */
export interface SheetOfMesh extends SheetMesh {
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
  /** The mesh's number of each vertex of the sheet. */
  readonly vertices: Uint32Array;
}

/**
 * A sheet of the triangles of any mesh, open or closed, such as `TriangleMesh` of `@gradsim/mesh`. Vertices that no
 * triangle has are left out, for which {@link addCloth} would refuse the mesh. Equal vertices stay apart, and so do the
 * triangles at them: weld the mesh first (`weldMesh` of `@gradsim/mesh`) if they belong together.
 *
 * ```ts
 * const tent = sheetFromMesh({
 *   positions: [0, 1, 0, 1, 0, 0, 0, 0, 1, -1, 0, 0, 9, 9, 9],
 *   triangles: [0, 2, 1, 0, 3, 2],
 * });
 * ```
 * @throws when arrays have a wrong length, a position is not finite, a triangle names a vertex that is not there or one
 * twice, an edge has three triangles, or two neighbours turn opposite ways, with their numbers.
 */
export function sheetFromMesh(mesh: SheetMesh & { readonly name?: string }): SheetOfMesh {
  const { positions, triangles, name = 'the mesh' } = mesh;
  const fail = (what: string): never => {
    throw new Error(`sheetFromMesh: ${name} ${what}`);
  };
  if (positions.length % 3 !== 0 || triangles.length % 3 !== 0)
    fail(`has ${positions.length} coordinates and ${triangles.length} corners; both must be multiples of 3.`);
  if (triangles.length === 0) fail('has no triangles.');
  const points = positions.length / 3;
  for (let k = 0; k < triangles.length; k++) {
    const [t, next] = [Math.floor(k / 3), triangles[k - (k % 3) + ((k + 1) % 3)]];
    if (!Number.isInteger(triangles[k]) || triangles[k] < 0 || triangles[k] >= points)
      fail(`has ${points} vertices, but triangle ${t} names vertex ${triangles[k]}.`);
    if (triangles[k] === next)
      fail(`has triangle ${t} with vertex ${next} twice; weld the mesh, which drops such triangles.`);
  }
  const vertices = Uint32Array.from(new Set(Array.from(triangles))).sort();
  const numbers = new Map(Array.from(vertices, (vertex, k) => [vertex, k]));
  const own = Float64Array.from({ length: 3 * vertices.length }, (_, k) => {
    const [vertex, axis] = [vertices[Math.floor(k / 3)], k % 3];
    const value = positions[3 * vertex + axis];
    return Number.isFinite(value)
      ? value
      : fail(`has ${value} as ${'xyz'[axis]} of vertex ${vertex}; it must be finite.`);
  });
  try {
    findHinges(triangles);
  } catch (error) {
    fail(`is no sheet: ${(error as Error).message}`);
  }
  return {
    positions: own,
    triangles: Uint32Array.from(triangles, (vertex) => numbers.get(vertex)!),
    vertices,
  };
}
