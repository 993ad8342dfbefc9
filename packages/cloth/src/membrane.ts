import type { F32, Mat22, Vec2, Vec3 } from '@gradsim/core';
import { cross, dot, f32, kernel, log, mat22, norm, normalize, when } from '@gradsim/core';
import { Particle, RestPosition } from '@gradsim/particles';
import { Triangle } from './components.ts';
import type { Columns } from './strain.ts';
import { edgesOf, lengthGrid, metricOf, strainOf } from './strain.ts';

/** Returns the product Ds Dm^-1, given the columns of Ds and those of Dm^-1. */
const multiplyColumns = ([e1, e2]: Columns, [a, b]: readonly [Vec2, Vec2]): Columns => [
  e1.mul(a.x).add(e2.mul(a.y)),
  e1.mul(b.x).add(e2.mul(b.y)),
];

/**
 * Computes the rest shape and mass once per run: Dm^-1, with the first edge along the first axis, the area, the metric,
 * and a third of density * area added to the mass of each particle.
 */
export const restOfTriangle = kernel(
  'restOfTriangle',
  {
    domain: Triangle,
    reads: {
      vertices: Triangle.vertices,
      restPosition: RestPosition.restPosition,
      restCarry: RestPosition.restCarry,
      density: Triangle.density,
      lengthGrid,
    },
    writes: {
      restInverse: Triangle.restInverse,
      restArea: Triangle.restArea,
      restMetric: Triangle.restMetric,
      restMetricLeft: Triangle.restMetricLeft,
    },
    adds: { totalMass: Particle.totalMass },
  },
  ({ vertices, restPosition, restCarry, density, lengthGrid, totalMass }) => {
    const edges = edgesOf(
      (k) => restPosition.at(vertices[k]),
      (k) => restCarry.at(vertices[k]),
    );
    const metric = metricOf(edges, lengthGrid);
    const [e1, e2] = edges.rounded;
    const length = norm(e1);
    const along = dot(e1, e2).div(length);
    const twiceArea = norm(cross(e1, e2));
    const height = twiceArea.div(length);
    // Dm = (length, along; 0, height).
    const area = twiceArea.mul(0.5);
    const share = density.mul(area).div(3);
    for (const vertex of vertices) totalMass.add(vertex, share);
    return {
      restInverse: mat22(f32(1).div(length), along.div(length.mul(height)).neg(), f32(0), f32(1).div(height)),
      restArea: area,
      restMetric: metric.leading,
      restMetricLeft: metric.remainder,
    };
  },
);

/** Material of a triangle, as values of the traced kernel: mu and lambda, N/m, and actuation. */
export interface MembraneMaterial {
  readonly mu: F32;
  readonly lambda: F32;
  readonly actuation: F32;
}

/**
 * Area ratio J at which the membrane would be at rest without shear, actuation a included: alpha = 1 + 2 mu / (3
 * lambda) + a.
 */
const restStretch = ({ mu, lambda, actuation }: MembraneMaterial): F32 =>
  mu.mul(2).div(lambda.mul(3)).add(1).add(actuation);

/** Fraction of its rest area below which a triangle's stress is computed from its normal instead of its strain. */
const COLLAPSED_AREA = 1 / 16;

/**
 * First Piola-Kirchhoff stress, dpsi/dF, of the plane form of the stable neo-Hookean energy
 * psi = mu/2 (Ic - 2) + lambda/2 (J - alpha)^2 - mu/2 log(Ic + 1), with Ic = tr(F^T F) and J = sqrt(det(F^T F)), the
 * area over the rest area. A triangle without area has no normal, and no stress of area.
 *
 * Near rest, shear and change of area are large and cancel. So P = F S is made of what they leave: with E = F^T F - I,
 * S = (mu t / (3 (3 + t)) + 2/3 mu (J - 1) / J + tau / J) I + (tau - 2/3 mu) / J adj(E), where t = tr(E) and
 * tau = lambda (J - 1 - a).
 * @param strain E, precise even where it is small: see `strainOf`.
 */
export function membraneStress(F: Columns, strain: Mat22, material: MembraneMaterial): Columns {
  const normal = cross(F[0], F[1]);
  const J = norm(normal);
  const { first, second } = when(
    J.gt(COLLAPSED_AREA),
    () => stressOfStrain(F, J, strain, material),
    () => stressOfNormal(F, normal, material),
  );
  return [first, second];
}

function stressOfStrain([f1, f2]: Columns, J: F32, strain: Mat22, { mu, lambda, actuation }: MembraneMaterial) {
  const [e11, e12, e22] = [strain.entry(0, 0), strain.entry(0, 1), strain.entry(1, 1)];
  const trace = e11.add(e22);
  const perJ = f32(1).div(J);
  const growth = trace.add(e11.mul(e22).sub(e12.mul(e12))).div(J.add(1));
  const shear = mu.mul(2 / 3);
  const tension = lambda.mul(growth.sub(actuation));
  const ofAll = mu.mul(trace).div(trace.add(3).mul(3)).add(shear.mul(growth).add(tension).mul(perJ));
  const ofStrain = tension.sub(shear).mul(perJ);
  const across = ofStrain.mul(e12).neg();
  return {
    first: f1.mul(ofAll.add(ofStrain.mul(e22))).add(f2.mul(across)),
    second: f1.mul(across).add(f2.mul(ofAll.add(ofStrain.mul(e11)))),
  };
}

function stressOfNormal([f1, f2]: Columns, normal: Vec3, material: MembraneMaterial) {
  const n = normalize(normal);
  const Ic1 = dot(f1, f1).add(dot(f2, f2)).add(1);
  const shear = material.mu.mul(f32(1).sub(f32(1).div(Ic1)));
  const tension = material.lambda.mul(norm(normal).sub(restStretch(material)));
  return {
    first: f1.mul(shear).add(cross(f2, n).mul(tension)),
    second: f2.mul(shear).add(cross(n, f1).mul(tension)),
  };
}

/**
 * Returns the stress of Kelvin-Voigt damping on the Green strain, kd F (F'^T F + F^T F'), N/m: zero in every rigid
 * motion.
 */
export function membraneDamping([f1, f2]: Columns, [r1, r2]: Columns, damping: F32): Columns {
  const e11 = dot(r1, f1).mul(2).mul(damping);
  const e12 = dot(r1, f2).add(dot(f1, r2)).mul(damping);
  const e22 = dot(r2, f2).mul(2).mul(damping);
  return [f1.mul(e11).add(f2.mul(e12)), f1.mul(e12).add(f2.mul(e22))];
}

/**
 * Adds the forces of a triangle's membrane to its particles: -A P Dm^-T to the last two, minus their sum to the first.
 *
 * Edges include the rounding errors kept with positions, and strain is a difference of metrics: a sheet of small cells
 * has it in the last digits of single precision, and buckling amplifies them.
 */
export const membraneForce = kernel(
  'membraneForce',
  {
    domain: Triangle,
    reads: {
      vertices: Triangle.vertices,
      position: Particle.position,
      positionCarry: Particle.positionCarry,
      velocity: Particle.velocity,
      restInverse: Triangle.restInverse,
      restArea: Triangle.restArea,
      restMetric: Triangle.restMetric,
      restMetricLeft: Triangle.restMetricLeft,
      lengthGrid,
      mu: Triangle.mu,
      lambda: Triangle.lambda,
      damping: Triangle.damping,
      actuation: Triangle.actuation,
    },
    adds: { force: Particle.force },
  },
  ({ vertices, position, positionCarry, velocity, force, ...t }) => {
    const { restInverse, restArea, mu, lambda, damping, actuation } = t;
    const inverse = [restInverse.column(0), restInverse.column(1)] as const;
    const edges = edgesOf(
      (k) => position.at(vertices[k]),
      (k) => positionCarry.at(vertices[k]),
    );
    const F = multiplyColumns(edges.rounded, inverse);
    const rest = { leading: t.restMetric, remainder: t.restMetricLeft };
    const strain = strainOf(metricOf(edges, t.lengthGrid), rest, restInverse);
    const velocities = vertices.map((vertex) => velocity.at(vertex));
    const rate = multiplyColumns([velocities[1].sub(velocities[0]), velocities[2].sub(velocities[0])], inverse);
    const elastic = membraneStress(F, strain, { mu, lambda, actuation });
    const damped = membraneDamping(F, rate, damping);
    const [p1, p2] = [0, 1].map((k) => elastic[k].add(damped[k]).mul(restArea.neg()));
    const [h1, h2] = [0, 1].map((row) => p1.mul(restInverse.entry(row, 0)).add(p2.mul(restInverse.entry(row, 1))));
    force.add(vertices[0], h1.add(h2).neg());
    force.add(vertices[1], h1);
    force.add(vertices[2], h2);
  },
);

/** Computes the elastic energy psi A of each triangle's membrane, J; for diagnostics and tests, in phase `observe`. */
export const membraneEnergy = kernel(
  'membraneEnergy',
  {
    domain: Triangle,
    reads: {
      vertices: Triangle.vertices,
      position: Particle.position,
      restInverse: Triangle.restInverse,
      restArea: Triangle.restArea,
      mu: Triangle.mu,
      lambda: Triangle.lambda,
      actuation: Triangle.actuation,
    },
    writes: { energy: Triangle.energy },
  },
  ({ vertices, position, restInverse, restArea, mu, lambda, actuation }) => {
    const { rounded } = edgesOf((k) => position.at(vertices[k]));
    const [f1, f2] = multiplyColumns(rounded, [restInverse.column(0), restInverse.column(1)]);
    const Ic = dot(f1, f1).add(dot(f2, f2));
    const away = norm(cross(f1, f2)).sub(restStretch({ mu, lambda, actuation }));
    const psi = mu
      .mul(0.5)
      .mul(Ic.sub(2).sub(log(Ic.add(1))))
      .add(lambda.mul(0.5).mul(away).mul(away));
    return { energy: psi.mul(restArea) };
  },
);
