import { hinge } from '@gradsim/cloth';
import type { F32, Vec3 } from '@gradsim/core';
import { cos, cross, dot, f32, index, kernel, normalize, on, sin, vec3 } from '@gradsim/core';

/**
 * Bending as the reference rollouts `cloth-air-*` have it. The formulas say f_i = -(S + R) u_i with
 * S = kb |e|^2 / (|n1| + |n2|) sin(psi), psi = (phi - phi0)/2 + a, R = kd |e| sum_j u_j.v_j and u_i = dphi/dx_i. The
 * rollouts have -d/dx_i ((S + R) phi) instead: the coefficient is differentiated along, which adds -phi d(S + R)/dx_i.
 * That term is no part of the model: with it a hinge at its rest angle is not at rest, and a rigid rotation feels
 * forces. So it is here, to hold everything else against those files, and not in the package.
 */
export const referenceBending = kernel(
  'referenceBending',
  {
    domain: 'hinges',
    reads: {
      vertices: index('particles', 4),
      position: on('particles', vec3),
      velocity: on('particles', vec3),
      stiffness: f32,
      damping: f32,
      restAngle: f32,
      actuation: f32,
    },
    adds: { force: on('particles', vec3) },
  },
  ({ vertices, position, velocity, stiffness: kb, damping: kd, restAngle, actuation, force }) => {
    const x = vertices.map((vertex) => position.at(vertex));
    const v = vertices.map((vertex) => velocity.at(vertex));
    const { angle: phi, directions: u, length: l, heights: h } = hinge(x);
    const psi = phi.sub(restAngle).mul(0.5).add(actuation);
    const c = l.mul(l).div(h);
    const rate = u.map((ui, k) => dot(ui, v[k])).reduce((sum, term) => sum.add(term));
    const { lengths, heights } = slopes(x);
    const turning = directionRates(x, v);
    u.forEach((ui, k) => {
      const dc = lengths[k].mul(l.mul(2).div(h)).sub(heights[k].mul(c.div(h)));
      const dS = ui
        .mul(cos(psi).mul(0.5).mul(c))
        .add(dc.mul(sin(psi)))
        .mul(kb);
      const dR = lengths[k].mul(rate).add(turning[k].mul(l)).mul(kd);
      const coefficient = kb.mul(c).mul(sin(psi)).add(kd.mul(l).mul(rate));
      force.add(vertices[k], ui.mul(coefficient).add(dS.add(dR).mul(phi)).neg());
    });
  },
);

/** Derivatives of |e| and of |n1| + |n2| with respect to the four vertices. */
function slopes([x1, x2, x3, x4]: readonly Vec3[]): { lengths: Vec3[]; heights: Vec3[] } {
  const zero = vec3(0, 0, 0);
  const d = normalize(x4.sub(x3));
  const [a1, b1] = [x3.sub(x1), x4.sub(x1)];
  const [a2, b2] = [x4.sub(x2), x3.sub(x2)];
  const [n1, n2] = [normalize(cross(a1, b1)), normalize(cross(a2, b2))];
  const [to3, to4] = [cross(b1, n1), cross(n1, a1)];
  const [from4, from3] = [cross(b2, n2), cross(n2, a2)];
  return {
    lengths: [zero, zero, d.neg(), d],
    heights: [to3.add(to4).neg(), from3.add(from4).neg(), to3.add(from3), to4.add(from4)],
  };
}

/** The rates of the four directions u_i while the vertices move with v: the Hessian of phi times v. */
function directionRates([x1, x2, x3, x4]: readonly Vec3[], [v1, v2, v3, v4]: readonly Vec3[]): Vec3[] {
  const [e, w] = [x4.sub(x3), v4.sub(v3)];
  const l = dot(normalize(e), e);
  const lRate = dot(normalize(e), w);
  // n / |n|^2 of n = a x b, and its rate.
  const reciprocal = (a: Vec3, b: Vec3, aRate: Vec3, bRate: Vec3): [Vec3, Vec3] => {
    const n = cross(a, b);
    const nRate = cross(aRate, b).add(cross(a, bRate));
    const square = dot(n, n);
    const m = n.div(square);
    return [m, nRate.div(square).sub(m.mul(dot(n, nRate).mul(2).div(square)))];
  };
  const [m1, m1Rate] = reciprocal(x3.sub(x1), x4.sub(x1), v3.sub(v1), v4.sub(v1));
  const [m2, m2Rate] = reciprocal(x4.sub(x2), x3.sub(x2), v4.sub(v2), v3.sub(v2));
  // (a - b).e / |e|, and its rate.
  const along = (a: Vec3, b: Vec3, aRate: Vec3, bRate: Vec3): [F32, F32] => {
    const part = dot(a.sub(b), e).div(l);
    return [
      part,
      dot(aRate.sub(bRate), e)
        .add(dot(a.sub(b), w))
        .sub(part.mul(lRate))
        .div(l),
    ];
  };
  const times = ([s, sRate]: [F32, F32], m: Vec3, mRate: Vec3): Vec3 => mRate.mul(s).add(m.mul(sRate));
  return [
    times([l, lRate], m1, m1Rate).neg(),
    times([l, lRate], m2, m2Rate).neg(),
    times(along(x4, x1, v4, v1), m1, m1Rate).add(times(along(x4, x2, v4, v2), m2, m2Rate)),
    times(along(x1, x3, v1, v3), m1, m1Rate).add(times(along(x2, x3, v2, v3), m2, m2Rate)),
  ];
}
