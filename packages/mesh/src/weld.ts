import { norm, subtract, vectorAt } from '@gradsim/base';
import { boundsOf } from './bounds.ts';
import { type TriangleMesh, triangleCount, vertexCount } from './mesh.ts';
import { dropUnusedVertices, pickRows } from './topology/unused.ts';

/**
 * Merges vertices that lie within a distance of each other, and drops triangles that collapse and vertices that belong
 * to no triangle. This closes the surfaces of files that repeat a vertex for every triangle (STL). A merged vertex
 * keeps the colour of the first of its group.
 *
 * @param distance in metres. Default: 1e-9 of the diagonal of the mesh's bounding box, which merges only vertices that
 * differ by rounding.
 *
 * @param distance in metres. Default 1e-9 of the size of the mesh: only what was meant to be equal.
 *
 * @example
 * const solid = weldMesh(parseStl(bytes));
 */
export function weldMesh(mesh: TriangleMesh, distance = 1e-9 * extent(mesh)): TriangleMesh {
  const { mapping, kept } = mergeVertices(mesh, distance);
  const triangles: number[] = [];
  const keptTriangles: number[] = [];
  for (let t = 0; t < triangleCount(mesh); t++) {
    const [a, b, c] = [0, 1, 2].map((k) => mapping[mesh.triangles[3 * t + k]]);
    if (a === b || b === c || c === a) continue;
    triangles.push(a, b, c);
    keptTriangles.push(t);
  }
  const hasTriangleColors = mesh.colors && mesh.colorsOn === 'triangles';
  const { vertices: _, ...welded } = dropUnusedVertices({
    ...mesh,
    positions: pickRows(mesh.positions, kept),
    triangles: Uint32Array.from(triangles),
    ...(mesh.uvs && {
      uvs: keptTriangles.flatMap((t) => Array.from({ length: 6 }, (_, k) => mesh.uvs![6 * t + k])),
    }),
    ...(mesh.triangleTextures && { triangleTextures: keptTriangles.map((t) => mesh.triangleTextures![t]) }),
    ...(mesh.colors && { colors: pickRows(mesh.colors, hasTriangleColors ? keptTriangles : kept) }),
  });
  return welded;
}

/** Returns the length of the diagonal of a mesh's bounding box, m. */
function extent(mesh: TriangleMesh): number {
  const { low, high } = boundsOf(mesh);
  return norm(subtract(high, low));
}

/**
 * Finds groups of vertices within `distance` of each other, by a grid of cells of that size.
 * @returns `kept`: first vertex of each group; `mapping`: index in `kept` for each vertex.
 */
function mergeVertices(mesh: TriangleMesh, distance: number): { mapping: Uint32Array; kept: number[] } {
  const { positions } = mesh;
  const cell = distance > 0 ? distance : 1;
  const grid = new Map<string, number[]>();
  const mapping = new Uint32Array(vertexCount(mesh));
  const kept: number[] = [];
  for (let v = 0; v < mapping.length; v++) {
    const at = vectorAt(positions, v);
    const [i, j, k] = at.map((x) => Math.floor(x / cell));
    const near = neighbours(i, j, k)
      .flatMap((key) => grid.get(key) ?? [])
      .filter((m) => norm(subtract(at, vectorAt(positions, kept[m]))) <= distance);
    if (near.length > 0) {
      mapping[v] = Math.min(...near);
      continue;
    }
    mapping[v] = kept.push(v) - 1;
    const key = `${i},${j},${k}`;
    grid.set(key, [...(grid.get(key) ?? []), mapping[v]]);
  }
  return { mapping, kept };
}

function neighbours(i: number, j: number, k: number): string[] {
  const keys: string[] = [];
  for (const a of [i - 1, i, i + 1]) {
    for (const b of [j - 1, j, j + 1]) {
      for (const c of [k - 1, k, k + 1]) keys.push(`${a},${b},${c}`);
    }
  }
  return keys;
}
