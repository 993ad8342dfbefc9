import { type Vector, vectorAt } from '@gradsim/numeric';
import type { Mesh } from './mesh.ts';

/** The elements of a mesh of any kind. */
export interface Elements {
  /** Where the mesh has them. */
  readonly key: 'lines' | 'triangles' | 'tets';
  /** What messages call one, and several. */
  readonly noun: string;
  readonly plural: string;
  /** Vertices of one. */
  readonly size: 2 | 3 | 4;
  /** The vertices of all. */
  readonly vertices: Uint32Array;
}

export function elementsOf(mesh: Mesh): Elements {
  if ('tets' in mesh) return { key: 'tets', noun: 'tetrahedron', plural: 'tetrahedra', size: 4, vertices: mesh.tets };
  if ('triangles' in mesh)
    return { key: 'triangles', noun: 'triangle', plural: 'triangles', size: 3, vertices: mesh.triangles };
  return { key: 'lines', noun: 'line', plural: 'lines', size: 2, vertices: mesh.lines };
}

/** What messages call a mesh. */
export function nameOf(mesh: Mesh): string {
  return mesh.name ? `Mesh ${mesh.name}` : 'The mesh';
}

/**
 * Where the vertices of an element are, in its order: two points of a line, three of a triangle, four of a tetrahedron.
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
