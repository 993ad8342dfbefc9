import { MeshError, type TetMesh, type TriangleMesh } from '../mesh.ts';
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
 * @throws MeshError as {@link surfaceTriangles}.
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
 * @throws MeshError when three tetrahedra share a face.
 */
export function surfaceTriangles(tets: ArrayLike<number>): Uint32Array {
  const faces = new Map<string, { corners: number[]; count: number }>();
  for (let t = 0; t < tets.length; t += 4) {
    for (const face of FACES) {
      const corners = face.map((k) => tets[t + k]);
      const key = [...corners].sort((a, b) => a - b).join(' ');
      const known = faces.get(key);
      if (!known) faces.set(key, { corners, count: 1 });
      else if (++known.count > 2)
        throw new MeshError(
          `Tetrahedron ${t / 4} is the third at the face of vertices ${key.replaceAll(' ', ', ')}; a face has at most two.`,
        );
    }
  }
  const outer = [...faces.values()].filter(({ count }) => count === 1);
  return Uint32Array.from(outer.flatMap(({ corners }) => corners));
}
