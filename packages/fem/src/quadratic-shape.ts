import { determinant, subtract } from '@gradsim/base';
import type { Mat33, Vec3 } from '@gradsim/core';
import { matFromColumns } from '@gradsim/core';

/** Corners of each mid-edge node, in the order of VTK's quadratic tetrahedron: node 4 + e lies on edge e. */
export const TET_EDGES = [
  [0, 1],
  [1, 2],
  [0, 2],
  [0, 3],
  [1, 3],
  [2, 3],
] as const;

/** Number of nodes of a quadratic tetrahedron: four corners, then the middles of its six edges. */
export const NODES = 4 + TET_EDGES.length;

const CORNERS = [0, 1, 2, 3] as const;

/** Returns the node between two corners, or the corner itself if they are the same. */
const nodeBetween = (i: number, j: number): number =>
  i === j ? i : 4 + TET_EDGES.findIndex(([a, b]) => (a === i && b === j) || (a === j && b === i));

/**
 * Returns the fraction of an element's mass of a corner or a mid-edge node: in proportion to the diagonal of the
 * consistent mass matrix, the integrals of N_a^2 (Hinton, Rock, Zienkiewicz 1976). Row sums would give corners negative
 * masses.
 *
 * ```ts
 * const corner = massShare(0); // 1/36
 * const middle = massShare(4); // 4/27
 * ```
 * @param node index in the element: corners are 0 to 3.
 */
export const massShare = (node: number): number => (node < 4 ? 1 / 36 : 4 / 27);

/*
 * Quadrature by four points of equal weight, exact for polynomials of degree 2 (Hammer, Marlowe, Stroud 1956): point q
 * has the barycentric coordinates NEAR for corner q and FAR for the others. Shape functions are N_i = lambda_i (2
 * lambda_i - 1) at corners and N_ij = 4 lambda_i lambda_j at middles, so with x_ii = x_i dx/dlambda_i = (4 lambda_i -
 * 1) x_i + sum_{j != i} 4 lambda_j x_ij = c_i + 4 (NEAR - FAR) x_iq, c_i = (4 FAR - 1) x_i + sum_{j != i} 4 FAR x_ij,
 * and dx/dxi_j = dx/dlambda_j - dx/dlambda_0. Only x_iq is of the point.
 */
const OTHER_CORNER_WEIGHT = (5 - Math.sqrt(5)) / 20;
const OWN_CORNER_WEIGHT = 1 - 3 * OTHER_CORNER_WEIGHT;
/** Barycentric coordinates of a quadrature point: for the corner nearest to it, and for each of the others. */
export const TET_QUADRATURE = { near: OWN_CORNER_WEIGHT, far: OTHER_CORNER_WEIGHT } as const;
const [OWN, OTHER, STEP] = [
  4 * OTHER_CORNER_WEIGHT - 1,
  4 * OTHER_CORNER_WEIGHT,
  4 * (OWN_CORNER_WEIGHT - OTHER_CORNER_WEIGHT),
];

/** Four values, one for each quadrature point. */
export type AtPoints<T> = readonly [T, T, T, T];

/** Evaluates `valueAt(q)` at each quadrature point. */
export const atPoints = <T>(valueAt: (q: number) => T): AtPoints<T> => [valueAt(0), valueAt(1), valueAt(2), valueAt(3)];

/**
 * Returns dx/dxi at the quadrature points. Positions are relative to node 0, so that rounding errors are relative to
 * edge lengths.
 */
export function jacobians(positionAt: (node: number) => Vec3): AtPoints<Mat33> {
  const x0 = positionAt(0);
  // Node 0 itself is left out: its vector is 0.
  const from0 = Array.from({ length: NODES }, (_, node) => (node === 0 ? undefined : positionAt(node).sub(x0)));
  const sum = (terms: readonly (readonly [node: number, by: number])[]): Vec3 =>
    terms.flatMap(([node, by]) => from0[node]?.mul(by) ?? []).reduce((total, term) => total.add(term));
  const common = CORNERS.map((i) => sum(CORNERS.map((j) => [nodeBetween(i, j), i === j ? OWN : OTHER] as const)));
  return atPoints((q) => {
    const slopes = CORNERS.map((i) => {
      const node = from0[nodeBetween(i, q)];
      return node ? common[i].add(node.mul(STEP)) : common[i];
    });
    return matFromColumns([1, 2, 3].map((j) => slopes[j].sub(slopes[0])));
  });
}

/** Transpose of {@link jacobians}: the vector of each node from matrices H at the points, the sum of H dN_a/dxi. */
export function jacobiansTransposed(H: AtPoints<Mat33>): Vec3[] {
  const slopes = H.map((h) => {
    const [h1, h2, h3] = [0, 1, 2].map((k) => h.column(k) as Vec3);
    return [h1.add(h2).add(h3).neg(), h1, h2, h3];
  });
  const sums = CORNERS.map((i) => slopes.map((of) => of[i]).reduce((sum, term) => sum.add(term)));
  const corners = CORNERS.map((i) => sums[i].mul(OWN).add(slopes[i][i].mul(STEP)));
  const middles = TET_EDGES.map(([i, j]) =>
    sums[i].add(sums[j]).mul(OTHER).add(slopes[j][i].add(slopes[i][j]).mul(STEP)),
  );
  return [...corners, ...middles];
}

/** Returns the gradients dN_a/dX of the shape functions at the quadrature points, from dxi/dX there. */
export function shapeGradients(restInverse: AtPoints<Mat33>): Vec3[][] {
  return restInverse.map((inverse, q) => {
    const rows = [0, 1, 2].map((i) => inverse.row(i) as Vec3);
    const slopes = [rows[0].add(rows[1]).add(rows[2]).neg(), ...rows];
    const lambda = (i: number): number => (i === q ? OWN_CORNER_WEIGHT : OTHER_CORNER_WEIGHT);
    const corners = CORNERS.map((i) => slopes[i].mul(4 * lambda(i) - 1));
    const middles = TET_EDGES.map(([i, j]) => slopes[i].mul(4 * lambda(j)).add(slopes[j].mul(4 * lambda(i))));
    return [...corners, ...middles];
  });
}

/** Returns det dx/dxi at each corner: an element is not inverted there if it is positive. */
export function cornerDeterminants(x: readonly ArrayLike<number>[]): number[] {
  return CORNERS.map((q) => {
    // lambda_q = 1: dx/dlambda_i = (4 delta_iq - 1) x_i + sum_{j != i} 4 delta_jq x_ij.
    const slopes = CORNERS.map((i) =>
      [0, 1, 2].map((axis) => (i === q ? 3 * x[i][axis] : 4 * x[nodeBetween(i, q)][axis] - x[i][axis])),
    );
    return determinant([1, 2, 3].map((j) => subtract(slopes[j], slopes[0])));
  });
}
