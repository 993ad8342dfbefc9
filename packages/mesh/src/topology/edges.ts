import { GradsimError } from '@gradsim/base';
import { nameOf } from '../elements.ts';
import type { TriangleMesh } from '../mesh.ts';

/**
 * An edge of a surface, with the corners of triangles at which it starts. A corner k is an index in `triangles`: it
 * belongs to triangle floor(k / 3), and its edge runs from vertex `triangles[k]` to `triangles[nextCorner(k)]`.
 */
export interface Edge {
  /** Indices of both vertices, in ascending order. */
  readonly vertices: readonly [number, number];
  /** Corners of triangles that run along the edge from its first to its second vertex. */
  readonly corners: readonly number[];
  /** Corners of triangles that run along the edge from its second to its first vertex. */
  readonly against: readonly number[];
}

/** Returns the next corner of the same triangle. */
export const nextCorner = (k: number): number => (k % 3 === 2 ? k - 2 : k + 1);

/**
 * Returns the edges of a surface, checked, in the order of the first corner of each.
 *
 * @param isClosed whether each edge must have two triangles, or may have one, as at the border of a sheet.
 * @throws GradsimError when a triangle has a vertex twice, an edge has more than two triangles, or two that run along
 * it in the same direction.
 */
export function checkedEdges(mesh: TriangleMesh, { isClosed }: { isClosed: boolean }): Edge[] {
  const { triangles } = mesh;
  const edges = new Map<number, { vertices: [number, number]; corners: number[]; against: number[] }>();
  const count = triangles.reduce((most, vertex) => Math.max(most, vertex + 1), 0);
  for (let k = 0; k < triangles.length; k++) {
    const [from, to] = [triangles[k], triangles[nextCorner(k)]];
    if (from === to)
      throw new GradsimError(
        'mesh/degenerate-triangle',
        `${nameOf(mesh)}: triangle ${triangleOf(k)} has vertex ${from} twice; weldMesh drops such triangles.`,
      );
    const [low, high] = from < to ? [from, to] : [to, from];
    const key = low * count + high;
    const edge = edges.get(key) ?? { vertices: [low, high], corners: [], against: [] };
    edges.set(key, edge);
    (from < to ? edge.corners : edge.against).push(k);
  }
  const all = [...edges.values()];
  for (const edge of all) checkEdge(mesh, edge, isClosed);
  return all;
}

function checkEdge(mesh: TriangleMesh, { vertices, corners, against }: Edge, isClosed: boolean): void {
  if (corners.length === 1 && against.length === 1) return;
  const triangles = [...corners, ...against].map(triangleOf).sort((a, b) => a - b);
  const edge = `the edge between vertices ${vertices[0]} and ${vertices[1]}`;
  if (triangles.length === 1) {
    if (!isClosed) return;
    throw new GradsimError(
      'mesh/not-closed',
      `${nameOf(mesh)} is open, but a solid must be closed: ${edge} belongs to triangle ${triangles[0]} alone.`,
      {
        hint: "Close the hole, or weldMesh() if the file repeats vertices. A body to look at may have filling: 'points'.",
      },
    );
  }
  if (triangles.length > 2) {
    throw new GradsimError(
      'mesh/not-a-surface',
      `${nameOf(mesh)}: ${edge} belongs to ${triangles.length} triangles (${triangles.join(', ')}), but an edge has at most two.`,
    );
  }
  throw new GradsimError(
    'mesh/turned-triangle',
    `${nameOf(mesh)}: triangles ${triangles.join(' and ')} face opposite ways: both run along ${edge} in the same direction.`,
    { hint: 'Turn one of them (and what hangs on it) round.' },
  );
}

const triangleOf = (corner: number): number => Math.floor(corner / 3);
