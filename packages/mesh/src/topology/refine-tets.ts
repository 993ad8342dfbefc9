import { checkMesh } from '../check.ts';
import type { TetMesh } from '../mesh.ts';

/** A refined mesh of tetrahedra, and for each new vertex the two old ones between which it lies. */
export interface RefinedTets {
  /**
   * Mesh with the old vertices under their old indices, followed by one at the midpoint of each edge; eight elements
   * for each old one.
   */
  readonly mesh: TetMesh;
  /**
   * Indices of two old vertices for each new one, in order. Vertex data (colours, temperatures) of the new one are
   * their mean.
   */
  readonly midpointEnds: Uint32Array;
}

/**
 * Edges of a tetrahedron by local vertices: 0 to 3 are its corners; 4 to 9 will be the midpoints of these edges, in
 * order.
 */
const EDGES = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
] as const;
const CORNER_TETS = [
  [0, 4, 5, 6],
  [4, 1, 7, 8],
  [5, 7, 2, 9],
  [6, 8, 9, 3],
] as const;
/**
 * Diagonals of the octahedron that is left when the four corners are cut off: both ends, midpoints of opposite edges,
 * and the other four vertices in cyclic order around the diagonal.
 */
const DIAGONALS = [
  { ends: [4, 9], around: [5, 6, 8, 7] },
  { ends: [5, 8], around: [4, 7, 9, 6] },
  { ends: [6, 7], around: [4, 5, 9, 8] },
] as const;

/**
 * Refines a mesh of tetrahedra: each becomes eight, of an eighth of its volume, with edges half as long. Repeated
 * refinement does not degrade their shapes, as the inner octahedron is split along its shortest diagonal (Bey,
 * Tetrahedral grid refinement, Computing 55, 1995).
 *
 * @example
 * const coarse = tetBox({ size: [1, 0.2, 0.2], cells: [10, 2, 2] });
 * const { mesh, between } = refineTets(coarse);
 *
 * @throws when the mesh is invalid ({@link checkMesh}).
 */
export function refineTets(coarse: TetMesh): RefinedTets {
  checkMesh(coarse);
  const positions = Array.from(coarse.positions);
  const between: number[] = [];
  const middles = new Map<string, number>();
  const middle = (a: number, b: number): number => {
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    const known = middles.get(key);
    if (known !== undefined) return known;
    const vertex = positions.length / 3;
    for (let k = 0; k < 3; k++) positions.push((coarse.positions[3 * a + k] + coarse.positions[3 * b + k]) / 2);
    between.push(a, b);
    middles.set(key, vertex);
    return vertex;
  };
  const tets: number[] = [];
  for (let t = 0; t < coarse.tets.length; t += 4) {
    const corners = coarse.tets.subarray(t, t + 4);
    const vertices = [...corners, ...EDGES.map(([i, j]) => middle(corners[i], corners[j]))];
    const length = ([i, j]: readonly [number, number]): number =>
      Math.hypot(...[0, 1, 2].map((k) => positions[3 * vertices[i] + k] - positions[3 * vertices[j] + k]));
    const { ends, around } = DIAGONALS.reduce((best, other) => (length(other.ends) < length(best.ends) ? other : best));
    for (const corner of CORNER_TETS) tets.push(...corner.map((local) => vertices[local]));
    around.forEach((local, k) => {
      tets.push(...[ends[0], local, around[(k + 1) % 4], ends[1]].map((each) => vertices[each]));
    });
  }
  return {
    mesh: { ...coarse, positions: Float64Array.from(positions), tets: Uint32Array.from(tets) },
    midpointEnds: Uint32Array.from(between),
  };
}
