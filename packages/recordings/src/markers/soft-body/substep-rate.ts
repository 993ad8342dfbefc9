import type { QuadraticMesh } from '@gradsim/fem';
import type { TetMesh } from '@gradsim/mesh';
import { addStiffnessTimes, massesOf, quadraticElements } from './elasticity.ts';
import { DASHPOT_TIME, type SoftMaterial } from './material.ts';

/** Rounds of power iteration, after which the highest eigenvalue is right within some 2 %. */
const POWER_ITERATIONS = 60;
/** Safety factor on the rate at which the stiffest mode at rest is stable: for elements that are bent, and stiffer estimates. */
const SAFETY_FACTOR = 1.2;
/** Least viscosity of the dashpot over the shear modulus that the search must be able to try, s. */
const LEAST_DASHPOT = 5e-3;

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
  const G = shear * (1 + Math.max(dashpot, LEAST_DASHPOT) / DASHPOT_TIME + armRatio);
  const remainingBulk = youngsModulus / (3 * (1 - 2 * poissonRatio)) - (5 / 3) * shear;
  const elements = quadraticElements(mesh, quadratic);
  const mass = massesOf(elements, quadratic.positions.length / 3, density);
  // A start to which hardly any mode is orthogonal.
  let u: Float64Array<ArrayBufferLike> = Float64Array.from({ length: 3 * mass.length }, (_, k) => Math.sin(1 + 7 * k));
  let eigenvalue = 0;
  for (let round = 0; round < POWER_ITERATIONS; round++) {
    const force = new Float64Array(u.length);
    for (const element of elements) addStiffnessTimes(element, u, { G, L: shear, remainingBulk }, force);
    const next = force.map((f, k) => (isHeld(Math.floor(k / 3)) ? 0 : f / mass[Math.floor(k / 3)]));
    const product = (a: Float64Array, b: Float64Array): number =>
      a.reduce((sum, x, k) => sum + mass[Math.floor(k / 3)] * x * b[k], 0);
    // From the second round on u is of length 1, and its image as long as the eigenvalue is large.
    eigenvalue = Math.sqrt(product(next, next));
    u = next.map((x) => x / eigenvalue);
  }
  return (SAFETY_FACTOR * Math.sqrt(eigenvalue)) / 2;
}
