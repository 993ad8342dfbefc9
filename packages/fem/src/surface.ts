/** The outer surface of tetrahedra. */
export interface OuterSurface {
  /** Three vertices of the tetrahedra's numbering a triangle, counter-clockwise seen from outside. */
  readonly triangles: Uint32Array;
  /** The vertices that lie on the surface, in ascending order: the surface's vertex k is vertex `vertices[k]`. */
  readonly vertices: Uint32Array;
  /** The triangles again, in the numbers of `vertices`: with those, a mesh of its own. */
  readonly ownTriangles: Uint32Array;
}

/** Faces of a tetrahedron of positive volume, seen from outside. */
const FACES = [
  [0, 2, 1],
  [0, 1, 3],
  [0, 3, 2],
  [1, 2, 3],
] as const;

/**
 * The faces that belong to one tetrahedron alone.
 *
 * ```ts
 * const { vertices, ownTriangles } = outerSurface(block.tets);
 * ```
 * @param tets four vertices an element, each element of positive volume.
 * @throws when three elements share a face.
 */
export function outerSurface(tets: ArrayLike<number>): OuterSurface {
  const faces = new Map<string, { corners: number[]; count: number }>();
  for (let t = 0; t < tets.length; t += 4) {
    for (const face of FACES) {
      const corners = face.map((k) => tets[t + k]);
      const key = [...corners].sort((a, b) => a - b).join(' ');
      const known = faces.get(key);
      if (!known) faces.set(key, { corners, count: 1 });
      else if (++known.count > 2)
        throw new Error(
          `outerSurface: tetrahedron ${t / 4} is the third at the face of vertices ${key.replaceAll(' ', ', ')}; a face has at most two.`,
        );
    }
  }
  const outer = [...faces.values()].filter(({ count }) => count === 1);
  const triangles = Uint32Array.from(outer.flatMap(({ corners }) => corners));
  const vertices = Uint32Array.from(new Set(triangles)).sort();
  const own = new Map([...vertices].map((vertex, k) => [vertex, k]));
  return { triangles, vertices, ownTriangles: triangles.map((vertex) => own.get(vertex)!) };
}
