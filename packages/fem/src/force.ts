import type { F32, Mat33, Vec3 } from '@gradsim/core';
import { cross, determinant, dot, f32, inverse, kernel, log, matFromColumns, transpose } from '@gradsim/core';
import { Particle, RestPosition } from '@gradsim/particles';
import { Tet } from './tet.ts';

/** Returns the matrix of the three edges of a tetrahedron from its first vertex, as columns. */
export const edgeMatrix = (positionAt: (k: number) => Vec3): Mat33 => {
  const x0 = positionAt(0);
  return matFromColumns([positionAt(1).sub(x0), positionAt(2).sub(x0), positionAt(3).sub(x0)]);
};

/**
 * Computes the rest shape and mass once per run: Dm^-1, the volume V, and density V / 4 added to the mass of each
 * particle.
 */
export const restOfTet = kernel(
  'restOfTet',
  {
    domain: Tet,
    reads: { vertices: Tet.vertices, restPosition: RestPosition.restPosition, density: Tet.density },
    writes: { restInverse: Tet.restInverse, restVolume: Tet.restVolume },
    adds: { totalMass: Particle.totalMass },
  },
  ({ vertices, restPosition, density, totalMass }) => {
    const dm = edgeMatrix((k) => restPosition.at(vertices[k]));
    const volume = determinant(dm).div(6);
    const share = density.mul(volume).div(4);
    for (const vertex of vertices) totalMass.add(vertex, share);
    return { restInverse: inverse(dm), restVolume: volume };
  },
);

/** Material of a tetrahedron, as values of the traced kernel: mu and lambda, Pa, and actuation. */
export interface TetMaterial {
  readonly mu: F32;
  readonly lambda: F32;
  readonly actuation: F32;
}

/**
 * Volume ratio J at which the material would be at rest without shear, actuation a included: alpha = 1 + mu / lambda -
 * mu / (4 lambda) + a.
 */
export const restVolumeRatio = ({ mu, lambda, actuation }: TetMaterial): F32 =>
  mu.mul(0.75).div(lambda).add(1).add(actuation);

/** Returns tr(F^T F): the sum of the squares of all nine entries of F. */
const traceOfSquare = (F: Mat33): F32 =>
  F.entries.map((entry) => entry.mul(entry)).reduce((sum, term) => sum.add(term));

/**
 * First Piola-Kirchhoff stress, dpsi/dF, of psi = mu/2 (Ic - 3) + lambda/2 (J - alpha)^2 - mu/2 log(Ic + 1), with Ic =
 * tr(F^T F) and J = det F: mu (1 - 1/(Ic + 1)) F + lambda (J - alpha) dJ/dF. Source: Smith, de Goes, Kim, Stable
 * Neo-Hookean Flesh Simulation, 2018.
 */
export function elasticStress(F: Mat33, material: TetMaterial): Mat33 {
  return stressWithPressure(F, material.mu, (J) => material.lambda.mul(J.sub(restVolumeRatio(material))));
}

/**
 * Returns {@link elasticStress} with a custom derivative pressure(J) = dpsi/dJ: mu (1 - 1/(Ic + 1)) F + pressure(J)
 * dJ/dF.
 */
export function stressWithPressure(F: Mat33, mu: F32, pressure: (J: F32) => F32): Mat33 {
  const [f0, f1, f2] = [0, 1, 2].map((k) => F.column(k) as Vec3);
  const cofactors = matFromColumns([cross(f1, f2), cross(f2, f0), cross(f0, f1)]);
  const Ic1 = traceOfSquare(F).add(1);
  const p = pressure(dot(f0, cross(f1, f2)));
  return F.mul(mu.mul(f32(1).sub(f32(1).div(Ic1)))).add(cofactors.mul(p));
}

/** Part of the energy density psi that does not depend on J: mu/2 (Ic - 3) - mu/2 log(Ic + 1), J/m^3. */
export function shearEnergy(F: Mat33, mu: F32): F32 {
  const Ic = traceOfSquare(F);
  return mu.mul(0.5).mul(Ic.sub(3).sub(log(Ic.add(1))));
}

/**
 * Returns the stress of Kelvin-Voigt damping on the Green strain, kd F (F'^T F + F^T F'), Pa: zero in every rigid
 * motion.
 */
export function dampingStress(F: Mat33, rate: Mat33, damping: F32): Mat33 {
  const half = transpose(rate).mul(F);
  return F.mul(half.add(transpose(half))).mul(damping);
}

/**
 * Adds the elastic and damping forces of a tetrahedron to its particles: -V P Dm^-T to the last three, minus their sum
 * to the first.
 */
export const tetForce = kernel(
  'tetForce',
  {
    domain: Tet,
    reads: {
      vertices: Tet.vertices,
      position: Particle.position,
      velocity: Particle.velocity,
      restInverse: Tet.restInverse,
      restVolume: Tet.restVolume,
      mu: Tet.mu,
      lambda: Tet.lambda,
      damping: Tet.damping,
      actuation: Tet.actuation,
    },
    adds: { force: Particle.force },
  },
  ({ vertices, position, velocity, restInverse, restVolume, mu, lambda, damping, actuation, force }) => {
    const F = edgeMatrix((k) => position.at(vertices[k])).mul(restInverse);
    const rate = edgeMatrix((k) => velocity.at(vertices[k])).mul(restInverse);
    const P = elasticStress(F, { mu, lambda, actuation }).add(dampingStress(F, rate, damping));
    const H = P.mul(transpose(restInverse)).mul(restVolume.neg());
    const [h1, h2, h3] = [0, 1, 2].map((k) => H.column(k) as Vec3);
    force.add(vertices[0], h1.add(h2).add(h3).neg());
    force.add(vertices[1], h1);
    force.add(vertices[2], h2);
    force.add(vertices[3], h3);
  },
);

/** Computes the elastic energy psi V of each tetrahedron, J; for diagnostics and tests, in phase `observe`. */
export const tetEnergy = kernel(
  'tetEnergy',
  {
    domain: Tet,
    reads: {
      vertices: Tet.vertices,
      position: Particle.position,
      restInverse: Tet.restInverse,
      restVolume: Tet.restVolume,
      mu: Tet.mu,
      lambda: Tet.lambda,
      actuation: Tet.actuation,
    },
    writes: { energy: Tet.energy },
  },
  ({ vertices, position, restInverse, restVolume, mu, lambda, actuation }) => {
    const F = edgeMatrix((k) => position.at(vertices[k])).mul(restInverse);
    const away = determinant(F).sub(restVolumeRatio({ mu, lambda, actuation }));
    const psi = shearEnergy(F, mu).add(lambda.mul(0.5).mul(away).mul(away));
    return { energy: psi.mul(restVolume) };
  },
);
