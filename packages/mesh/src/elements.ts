import { type Vector, vectorAt } from '@gradsim/base';
import type { Mesh } from './mesh.ts';

/** Elements of a mesh, be they lines, triangles or tetrahedra. */
export interface Elements {
  /** Name of the mesh's property that holds the elements. */
  readonly key: 'lines' | 'triangles' | 'tets';
  /** Singular name of an element in messages; `plural` is that of several. */
  readonly noun: string;
  readonly plural: string;
  /** Number of vertices of each element. */
  readonly size: 2 | 3 | 4;
  /** Vertex indices of all elements, `size` per element, one element after another. */
  readonly vertices: Uint32Array;
}

export function elementsOf(mesh: Mesh): Elements {
  if ('tets' in mesh) return { key: 'tets', noun: 'tetrahedron', plural: 'tetrahedra', size: 4, vertices: mesh.tets };
  if ('triangles' in mesh)
    return { key: 'triangles', noun: 'triangle', plural: 'triangles', size: 3, vertices: mesh.triangles };
  return { key: 'lines', noun: 'line', plural: 'lines', size: 2, vertices: mesh.lines };
}

/** Returns what messages call a mesh, such as `Mesh cup` or `The mesh`. */
export function nameOf(mesh: Mesh): string {
  return mesh.name ? `Mesh ${mesh.name}` : 'The mesh';
}

/**
 * Returns the positions of an element's vertices, in its order: two points of a line, three of a triangle, four of a
 * tetrahedron.
 *
 * @example
 * const area = triangleArea(cornersOf(box(), 0));
 */
export function cornersOf(mesh: Mesh, element: number): Vector[] {
  const { size, vertices } = elementsOf(mesh);
  const corners: Vector[] = [];
  for (let k = size * element; k < size * (element + 1); k++) corners.push(vectorAt(mesh.positions, vertices[k]));
  return corners;
}
