import { GradsimError } from '@gradsim/core';
/** An edge of a surface: its two vertices, and the triangles that share it. */
export interface SurfaceEdge {
  readonly ends: readonly [number, number];
  readonly triangles: readonly number[];
}

/**
 * Returns each edge of the triangles once.
 * @throws if the number of vertex numbers is 0 or no multiple of three, or if one is not a valid vertex number.
 */
export function edgesOf(triangles: ArrayLike<number>, label: string): SurfaceEdge[] {
  if (triangles.length === 0 || triangles.length % 3 !== 0)
    throw new GradsimError(
      'optim/wrong-size',
      `${label} takes three corners a triangle; ${triangles.length} numbers are no triangles.`,
    );
  const edges = new Map<string, { ends: readonly [number, number]; triangles: number[] }>();
  for (let k = 0; k < triangles.length; k++) {
    const [a, b] = [triangles[k], triangles[3 * Math.floor(k / 3) + ((k + 1) % 3)]];
    if (!Number.isInteger(a) || a < 0)
      throw new GradsimError(
        'optim/no-such-vertex',
        `${label}: corner ${k % 3} of triangle ${Math.floor(k / 3)} is ${a}, which is no vertex.`,
      );
    if (a === b)
      throw new GradsimError(
        'optim/degenerate-triangle',
        `${label}: triangle ${Math.floor(k / 3)} names vertex ${a} twice.`,
      );
    const ends = [Math.min(a, b), Math.max(a, b)] as const;
    const key = ends.join();
    const edge = edges.get(key) ?? { ends, triangles: [] };
    edge.triangles.push(Math.floor(k / 3));
    edges.set(key, edge);
  }
  return [...edges.values()];
}

/** Number of vertices that the edges use: the highest vertex number plus 1. */
export const vertexCountOf = (edges: readonly SurfaceEdge[]): number =>
  edges.reduce((most, { ends }) => Math.max(most, ends[1]), 0) + 1;

/** For each vertex, the number of its edges. */
export function degreesOf(edges: readonly SurfaceEdge[], vertices: number): Uint32Array {
  const degrees = new Uint32Array(vertices);
  for (const { ends } of edges) for (const end of ends) degrees[end]++;
  return degrees;
}
