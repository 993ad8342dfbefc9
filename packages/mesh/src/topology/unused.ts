import { GradsimError } from '@gradsim/base';
import { elementsOf, nameOf } from '../elements.ts';
import { type Mesh, type TriangleMesh, vertexCount } from '../mesh.ts';

/** A mesh of some of the vertices of another mesh. */
export type PartOfMesh<M extends Mesh> = M & {
  /** For each vertex, its index in the other mesh; ascending. */
  readonly vertices: Uint32Array;
};

/**
 * Returns the mesh without the vertices that belong to no element; the others keep their order and their colours.
 *
 * @example
 * const tent = dropUnusedVertices(await readMesh('tent.obj'));
 * console.log('vertex 0 was vertex', tent.vertices[0]);
 */
export function dropUnusedVertices<M extends Mesh>(mesh: M): PartOfMesh<M> {
  const { key, vertices: all } = elementsOf(mesh);
  const vertices = Uint32Array.from(new Set(all)).sort();
  const numbers = new Map(Array.from(vertices, (vertex, k) => [vertex, k]));
  const part: M = {
    ...mesh,
    ...colorsOf(mesh, vertices),
    positions: pickRows(mesh.positions, vertices),
    [key]: all.map((vertex) => numbers.get(vertex)!),
  };
  return { ...part, vertices };
}

function colorsOf(mesh: Mesh, vertices: Uint32Array): Pick<TriangleMesh, 'colors'> {
  if (!('triangles' in mesh) || !mesh.colors || mesh.colorsOn === 'triangles') return {};
  return { colors: pickRows(mesh.colors, vertices) };
}

/** Returns three values each of the chosen elements, in their order. */
export function pickRows(values: Float64Array, elements: ArrayLike<number>): Float64Array {
  return Float64Array.from(
    { length: 3 * elements.length },
    (_, k) => values[3 * elements[Math.floor(k / 3)] + (k % 3)],
  );
}

/**
 * Checks that every vertex belongs to an element: as a particle, another would have no mass, and nothing would hold it.
 *
 * @throws GradsimError naming the mesh and the vertex that does not.
 */
export function checkVerticesUsed(mesh: Mesh): void {
  const used = new Uint8Array(vertexCount(mesh));
  const { vertices, noun } = elementsOf(mesh);
  for (const vertex of vertices) used[vertex] = 1;
  const unused = used.indexOf(0);
  if (unused >= 0)
    throw new GradsimError(
      'mesh/unused-vertex',
      `${nameOf(mesh)}: vertex ${unused} is in no ${noun}; dropUnusedVertices leaves such vertices out.`,
    );
}
