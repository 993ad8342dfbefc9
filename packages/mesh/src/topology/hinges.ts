import type { TriangleMesh } from '../mesh.ts';
import { checkedEdges, nextCorner } from './edges.ts';

/**
 * Returns the edges that two triangles share, as four vertex indices each, (x1, x2, x3, x4), one after another. The
 * first triangle has x3, x4 in this order around it, and x1 opposite; the second has x2 opposite. They are in the order
 * of the first triangles' edges.
 *
 * @example
 * const hinges = findHinges(plane()); // one: 0, 3, 1, 2
 *
 * @throws GradsimError when an edge has three triangles, two neighbours face opposite ways, or a triangle has a vertex
 * twice, with their numbers.
 */
export function findHinges(mesh: TriangleMesh): Uint32Array {
  const { triangles } = mesh;
  const hinges: number[] = [];
  for (const { corners, against } of checkedEdges(mesh, { isClosed: false })) {
    if (corners.length + against.length < 2) continue;
    const [first, second] = corners[0] < against[0] ? [corners[0], against[0]] : [against[0], corners[0]];
    const [next, opposite] = [nextCorner(first), nextCorner(nextCorner(second))];
    hinges.push(triangles[nextCorner(next)], triangles[opposite], triangles[first], triangles[next]);
  }
  return Uint32Array.from(hinges);
}
