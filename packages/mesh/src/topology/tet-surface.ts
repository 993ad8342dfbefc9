import { GradsimError } from '@gradsim/base';
import type { TetMesh, TriangleMesh } from '../mesh.ts';
import { dropUnusedVertices, type PartOfMesh } from './unused.ts';

/** Faces of a tetrahedron of positive volume by local vertices, counter-clockwise seen from outside. */
const FACES = [
  [0, 2, 1],
  [0, 1, 3],
  [0, 3, 2],
  [1, 2, 3],
] as const;

/**
 * Returns the surface of a mesh of tetrahedra as a mesh of its own; `vertices` are the indices of its vertices in the
 * mesh of tetrahedra.
 *
 * @example
 * const { vertices, triangles } = tetSurface(tetBox({ cells: [4, 4, 4] }));
 *
 * @throws GradsimError as {@link surfaceTriangles}.
 */
export function tetSurface({ positions, tets, name }: TetMesh): PartOfMesh<TriangleMesh> {
  return dropUnusedVertices({ positions, triangles: surfaceTriangles(tets), ...(name && { name }) });
}

/**
 * Returns the faces that belong to only one tetrahedron: three vertex indices each, counter-clockwise seen from
 * outside.
 *
 * @param tets four vertex indices each, all of positive volume.
 *
 * @throws GradsimError when three tetrahedra share a face.
 */
export function surfaceTriangles(tets: ArrayLike<number>): Uint32Array {
  // Faces in order of appearance: vertices, number of tetrahedra, and the previous face with the same smallest vertex.
  const corners = new Uint32Array(3 * tets.length);
  const counts = new Uint8Array(tets.length);
  const before = new Int32Array(tets.length);
  const lastOf = new Map<number, number>();
  let faces = 0;
  let alone = 0;
  for (let t = 0; t < tets.length; t += 4) {
    for (const [k, l, m] of FACES) {
      const [i, j, n] = [tets[t + k], tets[t + l], tets[t + m]];
      const least = Math.min(i, j, n);
      let known = lastOf.get(least) ?? -1;
      while (known >= 0 && !hasFace(corners, known, i, j, n)) known = before[known];
      if (known < 0) {
        corners[3 * faces] = i;
        corners[3 * faces + 1] = j;
        corners[3 * faces + 2] = n;
        counts[faces] = 1;
        before[faces] = lastOf.get(least) ?? -1;
        lastOf.set(least, faces);
        faces++;
        alone++;
      } else if (++counts[known] > 2) {
        const face = [i, j, n].sort((a, b) => a - b).join(', ');
        throw new GradsimError(
          'mesh/not-a-surface',
          `Tetrahedron ${t / 4} is the third at the face of vertices ${face}; a face has at most two.`,
        );
      } else alone--;
    }
  }
  const triangles = new Uint32Array(3 * alone);
  let end = 0;
  for (let face = 0; face < faces; face++)
    if (counts[face] === 1) {
      triangles.set(corners.subarray(3 * face, 3 * face + 3), end);
      end += 3;
    }
  return triangles;
}

/** Returns whether a face consists of three given vertices, in any order. */
function hasFace(corners: Uint32Array, face: number, i: number, j: number, k: number): boolean {
  const [a, b, c] = [corners[3 * face], corners[3 * face + 1], corners[3 * face + 2]];
  return (a === i || b === i || c === i) && (a === j || b === j || c === j) && (a === k || b === k || c === k);
}
