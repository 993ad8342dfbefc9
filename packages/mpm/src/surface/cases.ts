/*
 * Triangles of a cell whose eight corners are inside or outside of a surface: W. E. Lorensen, H. E. Cline, Marching
 * Cubes, 1987. On each face of the cell, segments cut the inner corners off, each run of neighbouring ones apart; what a
 * face has depends on its own corners only, so that both cells beside it have the same and the surface has no gaps.
 */

/** Corner c lies at (c & 1, c >> 1 & 1, c >> 2 & 1). An edge joins corner `from` to `to`, which has one bit more. */
interface Edge {
  readonly from: number;
  readonly to: number;
}

const AXES = [0, 1, 2];
const EDGES: readonly Edge[] = AXES.flatMap((axis) =>
  Array.from({ length: 8 }, (_, from) => ({ from, to: from | (1 << axis) })).filter(({ from, to }) => from !== to),
);
const edgeBetween = (a: number, b: number): Edge =>
  EDGES.find(({ from, to }) => from === Math.min(a, b) && to === Math.max(a, b))!;

/** Corners of the six faces, counter-clockwise seen from outside of the cell. */
const FACES = AXES.flatMap((axis) => {
  const [u, v] = [1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)];
  const far = [0, u, u | v, v].map((corner) => corner | (1 << axis));
  const near = [0, v, u | v, u];
  return [near, far];
});

/** Returns the edges that the surface crosses, each with the one that follows it around the surface. */
function nextOf(isInside: (corner: number) => boolean): Map<Edge, Edge> {
  const next = new Map<Edge, Edge>();
  for (const face of FACES)
    face.forEach((corner, k) => {
      const before = face[(k + 3) % 4];
      if (!isInside(corner) || isInside(before)) return;
      // The run of inner corners that begins here.
      let last = k;
      while (isInside(face[(last + 1) % 4])) last++;
      next.set(edgeBetween(before, corner), edgeBetween(face[last % 4], face[(last + 1) % 4]));
    });
  return next;
}

/** Edges on which the corners of the triangles lie, three for each, counter-clockwise seen from outside the surface. */
function trianglesOf(inside: number): Edge[] {
  const next = nextOf((corner) => ((inside >> corner) & 1) === 1);
  const triangles: Edge[] = [];
  while (next.size > 0) {
    const [first] = next.keys();
    const loop: Edge[] = [];
    for (let edge: Edge | undefined = first; edge; ) {
      loop.push(edge);
      const following: Edge | undefined = next.get(edge);
      next.delete(edge);
      edge = following && next.has(following) ? following : undefined;
    }
    for (let k = 2; k < loop.length; k++) triangles.push(loop[0], loop[k - 1], loop[k]);
  }
  return triangles;
}

/** Edges of the triangles of all 256 cases; bit c of a case: corner c is inside. */
export const CASES: readonly (readonly Edge[])[] = Array.from({ length: 256 }, (_, inside) => trianglesOf(inside));
/** Most corners of triangles of a case. */
export const MOST_CORNERS = Math.max(...CASES.map(({ length }) => length));
