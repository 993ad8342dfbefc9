import type { F32, Vec3 } from '@gradsim/core';
import { atan2, cross, dot, f32, kernel, norm, select, sin, sqrt } from '@gradsim/core';
import { Particle } from '@gradsim/particles';
import { Hinge } from './components.ts';

/** Returns 1 / x; where x is 0, it returns 0 with derivative 0. */
export const inverseOrZero = (x: F32): F32 => {
  const isZero = x.eq(0);
  return select(isZero, f32(0), f32(1).div(select(isZero, f32(1), x)));
};

/**
 * The angle of a hinge with edge e = x4 - x3 and opposite vertices x1, x2, and its derivative u_i with respect to each:
 * phi = atan2(e.(n1 x n2)/|e|, n1.n2), n1 = (x3 - x1) x (x4 - x1), n2 = (x4 - x2) x (x3 - x2).
 *
 * Source: Bridson, Marino, Fedkiw, Simulation of Clothing with Folds and Wrinkles, 2003, with signs such that
 * u_i = dphi/dx_i. Where a triangle has no area, its part of the directions is 0.
 */
export function hinge([x1, x2, x3, x4]: readonly Vec3[]): {
  angle: F32;
  directions: readonly [Vec3, Vec3, Vec3, Vec3];
  length: F32;
  heights: F32;
} {
  const e = x4.sub(x3);
  const n1 = cross(x3.sub(x1), x4.sub(x1));
  const n2 = cross(x4.sub(x2), x3.sub(x2));
  const length = norm(e);
  const perLength = inverseOrZero(length);
  const [square1, square2] = [dot(n1, n1), dot(n2, n2)];
  const [m1, m2] = [n1.mul(inverseOrZero(square1)), n2.mul(inverseOrZero(square2))];
  const along = (a: Vec3, b: Vec3): F32 => dot(a.sub(b), e).mul(perLength);
  return {
    angle: atan2(dot(e, cross(n1, n2)).mul(perLength), dot(n1, n2)),
    directions: [
      m1.mul(length).neg(),
      m2.mul(length).neg(),
      m1.mul(along(x4, x1)).add(m2.mul(along(x4, x2))),
      m1.mul(along(x1, x3)).add(m2.mul(along(x2, x3))),
    ],
    length,
    heights: sqrt(square1).add(sqrt(square2)),
  };
}

/**
 * Forces of bending on the four vertices i of a hinge: elastic -kb |e|^2 / (|n1| + |n2|) sin((phi - phi0)/2 + a) u_i,
 * damping -kd |e| (sum_j u_j.v_j) u_i. Its derivatives are finite on a flat sheet, unlike those of the arc cosine of
 * n1.n2.
 */
export const bendForce = kernel(
  'bendForce',
  {
    domain: Hinge,
    reads: {
      vertices: Hinge.vertices,
      position: Particle.position,
      velocity: Particle.velocity,
      stiffness: Hinge.stiffness,
      damping: Hinge.damping,
      restAngle: Hinge.restAngle,
      actuation: Hinge.actuation,
    },
    adds: { force: Particle.force },
  },
  ({ vertices, position, velocity, stiffness, damping, restAngle, actuation, force }) => {
    const { angle, directions, length, heights } = hinge(vertices.map((vertex) => position.at(vertex)));
    const rate = directions.map((u, k) => dot(u, velocity.at(vertices[k]))).reduce((sum, term) => sum.add(term));
    const elastic = stiffness
      .mul(length)
      .mul(length)
      .mul(inverseOrZero(heights))
      .mul(sin(angle.sub(restAngle).mul(0.5).add(actuation)));
    const moment = elastic.add(damping.mul(length).mul(rate));
    directions.forEach((u, k) => {
      force.add(vertices[k], u.mul(moment).neg());
    });
  },
);

/** Computes the angle of each hinge, rad; for diagnostics and tests, in phase `observe`. */
export const hingeAngle = kernel(
  'hingeAngle',
  {
    domain: Hinge,
    reads: { vertices: Hinge.vertices, position: Particle.position },
    writes: { angle: Hinge.angle },
  },
  ({ vertices, position }) => ({ angle: hinge(vertices.map((vertex) => position.at(vertex))).angle }),
);
