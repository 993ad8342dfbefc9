import { cross, dot, scale, subtract, type Vector, vectorAt } from '@gradsim/base';
import { massShare, type QuadraticMesh, TET_EDGES, TET_QUADRATURE } from '@gradsim/fem';
import type { TetMesh } from '@gradsim/mesh';

/** A tetrahedral element with straight edges. */
export interface Element {
  readonly nodes: readonly number[];
  readonly volume: number;
  /** Gradients of its shape functions, 1/m, [quadrature point][node]. */
  readonly gradients: readonly (readonly Vector[])[];
}

/** Elastic constants of small strain, Pa: those of Lame G and L at each quadrature point, and the rest of the bulk modulus. */
export interface Constants {
  readonly G: number;
  readonly L: number;
  /** Bulk modulus against an element's mean change of volume, beyond that of G and L. */
  readonly remainingBulk: number;
}

/** Elements of `@gradsim/fem` with ten nodes and four quadrature points. */
export function quadraticElements(mesh: TetMesh, { nodes }: QuadraticMesh): Element[] {
  return slopesOf(mesh).map(({ slopes, volume }, e) => {
    const gradients = [0, 1, 2, 3].map((point) => {
      const at = [0, 1, 2, 3].map((corner) => (corner === point ? TET_QUADRATURE.near : TET_QUADRATURE.far));
      return [
        ...slopes.map((slope, k) => scale(slope, 4 * at[k] - 1)),
        ...TET_EDGES.map(([i, j]): Vector => {
          const [one, other] = [scale(slopes[j], 4 * at[i]), scale(slopes[i], 4 * at[j])];
          return [one[0] + other[0], one[1] + other[1], one[2] + other[2]];
        }),
      ];
    });
    return { nodes: Array.from(nodes.subarray(10 * e, 10 * e + 10)), volume, gradients };
  });
}

/** Elements of constant strain, with a node at each vertex. */
export const linearElements = (mesh: TetMesh): Element[] =>
  slopesOf(mesh).map(({ slopes, volume }, e) => ({
    nodes: Array.from(mesh.tets.subarray(4 * e, 4 * e + 4)),
    volume,
    gradients: [slopes],
  }));

/** Gradients of the barycentric coordinates of each tetrahedron, 1/m, and its volume, m^3. */
const slopesOf = ({ positions, tets }: TetMesh): { readonly slopes: readonly Vector[]; readonly volume: number }[] =>
  Array.from({ length: tets.length / 4 }, (_, e) => {
    const [a, b, c, d] = Array.from(tets.subarray(4 * e, 4 * e + 4), (v) => vectorAt(positions, v));
    const [p, q, r] = [subtract(b, a), subtract(c, a), subtract(d, a)];
    const six = dot(p, cross(q, r));
    const [x, y, z] = [cross(q, r), cross(r, p), cross(p, q)].map((g) => scale(g, 1 / six));
    return {
      slopes: [[-x[0] - y[0] - z[0], -x[1] - y[1] - z[1], -x[2] - y[2] - z[2]], x, y, z],
      volume: six / 6,
    };
  });

/** Lumped masses of nodes, kg: of a quadratic element as `@gradsim/fem` shares them, of a linear one a quarter. */
export function massesOf(elements: readonly Element[], count: number, density: number): Float64Array {
  const masses = new Float64Array(count);
  for (const { nodes, volume } of elements)
    for (const [a, node] of nodes.entries())
      masses[node] += density * volume * (nodes.length === 4 ? 1 / 4 : massShare(a));
  return masses;
}

/**
 * Adds an element's force against small displacements u of nodes, m, flat: of Hooke's law at each quadrature point, and of the
 * rest of the bulk modulus against the element's mean change of volume.
 */
export function addStiffnessTimes(
  { nodes, volume, gradients }: Element,
  u: Float64Array,
  { G, L, remainingBulk }: Constants,
  force: Float64Array,
): void {
  const points = gradients.length;
  const strains = gradients.map((of) => {
    const F = new Float64Array(9);
    for (const [a, slope] of of.entries())
      for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) F[3 * i + j] += u[3 * nodes[a] + i] * slope[j];
    return F;
  });
  const growth = strains.map((F) => F[0] + F[4] + F[8]);
  const pressure = (remainingBulk * growth.reduce((sum, x) => sum + x, 0)) / points;
  for (const [q, F] of strains.entries())
    for (const [a, slope] of gradients[q].entries())
      for (let i = 0; i < 3; i++) {
        let f = (L * growth[q] + pressure) * slope[i];
        for (let j = 0; j < 3; j++) f += G * (F[3 * i + j] + F[3 * j + i]) * slope[j];
        force[3 * nodes[a] + i] += (f * volume) / points;
      }
}

/** Displacements, m, flat, at which small forces, N, flat, are in equilibrium, by conjugate gradients; held nodes do not move. */
export function equilibriumOf(
  elements: readonly Element[],
  constants: Constants,
  forces: Float64Array,
  isHeld: (node: number) => boolean,
): Float64Array {
  const free = (of: Float64Array): Float64Array => of.map((x, k) => (isHeld(Math.floor(k / 3)) ? 0 : x));
  const product = (a: Float64Array, b: Float64Array): number => a.reduce((sum, x, k) => sum + x * b[k], 0);
  const u = new Float64Array(forces.length);
  let residual = free(forces);
  let direction = residual;
  let square = product(residual, residual);
  const enough = 1e-16 * square;
  for (let round = 0; round < 20 * forces.length && square > enough; round++) {
    const pulled = new Float64Array(forces.length);
    for (const element of elements) addStiffnessTimes(element, direction, constants, pulled);
    const Kd = free(pulled);
    const by = square / product(direction, Kd);
    for (const [k, d] of direction.entries()) u[k] += by * d;
    residual = residual.map((r, k) => r - by * Kd[k]);
    const next = product(residual, residual);
    const share = next / square;
    direction = direction.map((d, k) => residual[k] + share * d);
    square = next;
  }
  return u;
}
