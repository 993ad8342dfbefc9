import { type QuadraticMesh, TET_EDGES } from '@gradsim/fem';
import type { TetMesh } from '@gradsim/mesh';
import { cross, dot, scale, subtract, type Vector, vectorAt } from '@gradsim/numeric';
import { DASHPOT_TIME, type SoftMaterial } from './material.ts';

/** Rounds of power iteration; the Rayleigh quotient is then within some 2 % of the highest eigenvalue. */
const ROUNDS = 60;
/** Rate over the least at which the stiffest mode at rest is stable: for elements that are bent, and stiffer estimates. */
const MARGIN = 1.2;
/** Least viscosity of the dashpot over the shear modulus that the search must be able to try, s. */
const VISCOUS = 5e-3;
/** Barycentric coordinates of the four quadrature points of a tetrahedron: one of these, three of the others. */
const [NEAR, FAR] = [0.5854101966249685, 0.1381966011250105];

/**
 * Returns the substeps a second that a body of quadratic elements needs: half its highest angular frequency at rest, with a
 * margin. The frequency is the largest eigenvalue of M^-1 K by power iteration, with the arms as stiff as they are against
 * fast motion.
 *
 * @param isHeld true for nodes that do not move.
 */
export function substepRateOf(
  mesh: TetMesh,
  quadratic: QuadraticMesh,
  { material, density, isHeld }: { material: SoftMaterial; density: number; isHeld: (node: number) => boolean },
): number {
  const { youngsModulus, poissonRatio, dashpot, armRatio } = material;
  const shear = youngsModulus / (2 * (1 + poissonRatio));
  // Arms resist shear alone. Of the bulk modulus, 5/3 of the shear modulus acts at each quadrature point.
  const G = shear * (1 + Math.max(dashpot, VISCOUS) / DASHPOT_TIME + armRatio);
  const rest = youngsModulus / (3 * (1 - 2 * poissonRatio)) - (5 / 3) * shear;
  const elements = elementsOf(mesh, quadratic);
  const mass = new Float64Array(quadratic.positions.length / 3);
  for (const { nodes, volume } of elements)
    for (const [a, node] of nodes.entries()) mass[node] += density * volume * (a < 4 ? 1 / 36 : 4 / 27);
  // Any start that no mode is orthogonal to.
  let u: Float64Array<ArrayBufferLike> = Float64Array.from({ length: 3 * mass.length }, (_, k) => Math.sin(1 + 7 * k));
  let eigenvalue = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const force = new Float64Array(u.length);
    for (const element of elements) addStiffnessTimes(element, u, { G, L: shear, rest }, force);
    const next = force.map((f, k) => (isHeld(Math.floor(k / 3)) ? 0 : f / mass[Math.floor(k / 3)]));
    const product = (a: Float64Array, b: Float64Array): number =>
      a.reduce((sum, x, k) => sum + mass[Math.floor(k / 3)] * x * b[k], 0);
    eigenvalue = Math.sqrt(product(next, next) / product(u, u));
    const size = Math.sqrt(product(next, next));
    u = next.map((x) => x / size);
  }
  return (MARGIN * Math.sqrt(eigenvalue)) / 2;
}

/** A quadratic element with straight edges. */
interface Element {
  readonly nodes: readonly number[];
  readonly volume: number;
  /** Gradients of its shape functions, 1/m, [quadrature point][node]. */
  readonly gradients: readonly (readonly Vector[])[];
}

function elementsOf({ positions, tets }: TetMesh, { nodes }: QuadraticMesh): Element[] {
  return Array.from({ length: tets.length / 4 }, (_, e) => {
    const [a, b, c, d] = Array.from(tets.subarray(4 * e, 4 * e + 4), (v) => vectorAt(positions, v));
    const [p, q, r] = [subtract(b, a), subtract(c, a), subtract(d, a)];
    const six = dot(p, cross(q, r));
    const [x, y, z] = [cross(q, r), cross(r, p), cross(p, q)].map((g) => scale(g, 1 / six));
    const slopes = [scale([x[0] + y[0] + z[0], x[1] + y[1] + z[1], x[2] + y[2] + z[2]], -1), x, y, z];
    const gradients = [0, 1, 2, 3].map((point) => {
      const at = [0, 1, 2, 3].map((corner) => (corner === point ? NEAR : FAR));
      return [
        ...slopes.map((slope, k) => scale(slope, 4 * at[k] - 1)),
        ...TET_EDGES.map(([i, j]): Vector => {
          const [one, other] = [scale(slopes[j], 4 * at[i]), scale(slopes[i], 4 * at[j])];
          return [one[0] + other[0], one[1] + other[1], one[2] + other[2]];
        }),
      ];
    });
    return { nodes: Array.from(nodes.subarray(10 * e, 10 * e + 10)), volume: six / 6, gradients };
  });
}

/**
 * Adds an element's force against the small displacements u of nodes: of Hooke's law with the constants of Lame G and L at each
 * quadrature point, and of the rest of the bulk modulus against the element's mean change of volume.
 */
function addStiffnessTimes(
  { nodes, volume, gradients }: Element,
  u: Float64Array,
  { G, L, rest }: { readonly G: number; readonly L: number; readonly rest: number },
  force: Float64Array,
): void {
  const strains = gradients.map((of) => {
    const F = new Float64Array(9);
    for (const [a, slope] of of.entries())
      for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) F[3 * i + j] += u[3 * nodes[a] + i] * slope[j];
    return F;
  });
  const growth = strains.map((F) => F[0] + F[4] + F[8]);
  const pressure = (rest * growth.reduce((sum, x) => sum + x, 0)) / 4;
  for (const [q, F] of strains.entries())
    for (const [a, slope] of gradients[q].entries())
      for (let i = 0; i < 3; i++) {
        let f = (L * growth[q] + pressure) * slope[i];
        for (let j = 0; j < 3; j++) f += G * (F[3 * i + j] + F[3 * j + i]) * slope[j];
        force[3 * nodes[a] + i] += (f * volume) / 4;
      }
}
