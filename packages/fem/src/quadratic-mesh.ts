import type { TetMesh } from '@gradsim/mesh';
import { surfaceTriangles } from '@gradsim/mesh';
import { NODES, TET_EDGES } from './quadratic-shape.ts';

/**
 * A mesh of quadratic tetrahedra: the vertices of a mesh of linear ones, then a node in the middle of each of its
 * edges.
 */
export interface QuadraticMesh {
  /** Positions x, y, z of each node, m. */
  readonly positions: Float64Array;
  /** Indices of the ten nodes of each element: four corners, then the middles of the edges 01, 12, 02, 03, 13, 23. */
  readonly nodes: Uint32Array;
  /** Indices of the two vertices of each edge. Edge e has the mid-edge node with the index (number of vertices) + e. */
  readonly edges: Uint32Array;
}

/**
 * Adds nodes at the middles of a mesh's edges, as `addSoftBody` with `elements: 'quadratic'` does.
 *
 * ```ts
 * const beam = tetBox({ cells: [10, 2, 2], size: [1, 0.2, 0.2] });
 * const { positions } = quadraticMesh(beam);
 * ```
 */
export function quadraticMesh({ positions, tets }: TetMesh): QuadraticMesh {
  const vertices = positions.length / 3;
  const numbers = new Map<number, number>();
  const edges: number[] = [];
  const middle = (a: number, b: number): number => {
    const key = Math.min(a, b) * vertices + Math.max(a, b);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const node = vertices + numbers.size;
    numbers.set(key, node);
    edges.push(a, b);
    return node;
  };
  const nodes = new Uint32Array((tets.length / 4) * NODES);
  for (let t = 0, at = 0; t < tets.length; t += 4) {
    for (let k = 0; k < 4; k++) nodes[at++] = tets[t + k];
    for (const [i, j] of TET_EDGES) nodes[at++] = middle(tets[t + i], tets[t + j]);
  }
  return {
    positions: concatenateNodes(positions, averageEdgeEnds(positions, edges, 3)),
    nodes,
    edges: Uint32Array.from(edges),
  };
}

/** Averages the values of both ends of each edge. */
export const averageEdgeEnds = (
  values: ArrayLike<number>,
  edges: ArrayLike<number>,
  components: number,
): Float64Array =>
  Float64Array.from({ length: (edges.length / 2) * components }, (_, k) => {
    const [edge, c] = [Math.floor(k / components), k % components];
    return (values[components * edges[2 * edge] + c] + values[components * edges[2 * edge + 1] + c]) / 2;
  });

/**
 * Returns the outer surface of quadratic tetrahedra: four triangles for each outer face, counter-clockwise seen from
 * outside.
 *
 * ```ts
 * const { positions, nodes } = quadraticMesh(beam);
 * const triangles = quadraticSurface(nodes); // three numbers of nodes each
 * ```
 * @param nodes ten of each element, as `quadraticMesh` returns them.
 */
export function quadraticSurface(nodes: ArrayLike<number>): Uint32Array {
  const corners: number[] = [];
  const middles = new Map<string, number>();
  const key = (a: number, b: number): string => (a < b ? `${a} ${b}` : `${b} ${a}`);
  for (let at = 0; at < nodes.length; at += NODES) {
    for (let k = 0; k < 4; k++) corners.push(nodes[at + k]);
    TET_EDGES.forEach(([i, j], e) => middles.set(key(nodes[at + i], nodes[at + j]), nodes[at + 4 + e]));
  }
  const faces = surfaceTriangles(corners);
  const triangles: number[] = [];
  for (let k = 0; k < faces.length; k += 3) {
    const [a, b, c] = faces.subarray(k, k + 3);
    const [ab, bc, ca] = [middles.get(key(a, b))!, middles.get(key(b, c))!, middles.get(key(c, a))!];
    triangles.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca);
  }
  return Uint32Array.from(triangles);
}

/** Concatenates values of vertices and values of mid-edge nodes. */
export function concatenateNodes(vertices: ArrayLike<number>, middles: ArrayLike<number>): Float64Array {
  const all = new Float64Array(vertices.length + middles.length);
  all.set(vertices);
  all.set(middles, vertices.length);
  return all;
}
