import { GradsimError } from '@gradsim/kernel';
import type { TetMesh, TriangleMesh } from '../mesh.ts';
import { dropUnusedVertices, type PartOfMesh } from './unused.ts';

/** Faces of a tetrahedron of positive volume, seen from outside. */
const FACES = [
  [0, 2, 1],
  [0, 1, 3],
  [0, 3, 2],
  [1, 2, 3],
] as const;

/**
 * The surface of a volume, as a mesh of its own; `vertices` says which of the volume's vertices lie on it.
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
 * The faces that belong to one tetrahedron alone: three vertices each, of the tetrahedra's numbering, counter-clockwise
 * seen from outside.
 *
 * @param tets four vertices each, all of positive volume.
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

/** Returns whether a face has three vertices, in any order. */
function hasFace(corners: Uint32Array, face: number, i: number, j: number, k: number): boolean {
  const [a, b, c] = [corners[3 * face], corners[3 * face + 1], corners[3 * face + 2]];
  return (a === i || b === i || c === i) && (a === j || b === j || c === j) && (a === k || b === k || c === k);
}
