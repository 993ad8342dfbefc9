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

/** A face by its vertices, in the order of its first tetrahedron and by number, and of how many tetrahedra it is. */
interface Face {
  readonly corners: readonly number[];
  readonly middle: number;
  readonly greatest: number;
  count: number;
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
  const faces: Face[] = [];
  const byLeast: Face[][] = [];
  for (let t = 0; t < tets.length; t += 4) {
    for (const face of FACES) {
      const corners = face.map((k) => tets[t + k]);
      const [least, middle, greatest] = [...corners].sort((a, b) => a - b);
      byLeast[least] ??= [];
      const known = byLeast[least].find((other) => other.middle === middle && other.greatest === greatest);
      if (!known) {
        const first = { corners, middle, greatest, count: 1 };
        byLeast[least].push(first);
        faces.push(first);
      } else if (++known.count > 2)
        throw new MeshError(
          `Tetrahedron ${t / 4} is the third at the face of vertices ${least}, ${middle}, ${greatest}; a face has at most two.`,
        );
    }
  }
  return Uint32Array.from(faces.filter(({ count }) => count === 1).flatMap(({ corners }) => corners));
}
