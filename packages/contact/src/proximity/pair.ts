import type { F32, Vec3, Vec4 } from '@gradsim/core';
import { cross, dot, f32, norm, normalize, select, vec3 } from '@gradsim/core';
import type { MotionToState } from '@gradsim/dynamics';
import { contactForce } from '../law.ts';
import { combineMaterials } from '../material.ts';
import type { Corners } from './closest.ts';
import { nearestWeights, nearestWeightsOnTies, weighted } from './closest.ts';

/** Position of a point and its contact thickness, m. */
export interface ThickPoint {
  readonly x: Vec3;
  readonly thickness: F32;
}
/** Contact data of a point: position, thickness, velocity, and material (ke, kd, kf, mu). */
export interface Vertex extends ThickPoint {
  readonly v: Vec3;
  readonly material: Vec4;
}

/** Returns the penetration of a point and a triangle, m: the sum of their thicknesses minus their distance. */
export function depthOf(p: ThickPoint, [a, b, c]: readonly ThickPoint[]): F32 {
  const corners: Corners = [a.x, b.x, c.x];
  const w = nearestWeights(p.x, corners);
  const skin = p.thickness.add(dot(w, vec3(a.thickness, b.thickness, c.thickness)));
  return skin.sub(norm(p.x.sub(weighted(w, corners))));
}

/**
 * Contact data of a point (suffix 0) and of a triangle's corners (1 to 3), and the motion that led to them, as a flat
 * record.
 */
export type Pair = ReturnType<typeof pairOf>;

export const pairOf = (p: Vertex, [a, b, c]: readonly Vertex[], { time, tolerance }: MotionToState) => ({
  x0: p.x,
  x1: a.x,
  x2: b.x,
  x3: c.x,
  v0: p.v,
  v1: a.v,
  v2: b.v,
  v3: c.v,
  m0: p.material,
  m1: a.material,
  m2: b.material,
  m3: c.material,
  d0: p.thickness,
  d1: a.thickness,
  d2: b.thickness,
  d3: c.thickness,
  time,
  tolerance,
});

/**
 * Forces between a point p and a triangle, N, on the point (f0) and on the corners (f1 to f3).
 *
 * With c the nearest point of the triangle, its weights w, and r = p - c, the penetration is C = d_p + sum w_k d_k -
 * |r|, d the thicknesses. The force is {@link contactForce} along r. Approach and slip are those of the point relative
 * to the triangle's rigid motion extrapolated to p, u = v_p - sum w_k v_k - omega x r. The forces on the corners follow
 * from the transpose of that map from velocities to u, so their power is F.u: momentum and angular momentum are
 * conserved, and a rigid rotation of both meets no friction.
 *
 * For a triangle with edges e_1, e_2 from its first corner, area vector N and dual edges g_1 = e_2 x N / N^2, g_2 = N x
 * e_1 / N^2, omega = S - N (N.S) / 2 N^2 with S = sum g_i x e_i', e_i' the time derivative of e_i: exact in every rigid
 * motion.
 */
export function pairForces(pair: Pair, isAtEnd: boolean): { f0: Vec3; f1: Vec3; f2: Vec3; f3: Vec3 } {
  const { x0: p, x1, x2, x3, v0, v1, v2, v3, m0, m1, m2, m3, time, tolerance } = pair;
  const corners: Corners = [x1, x2, x3];
  const w = nearestWeightsOnTies(p, corners, tolerance.mul(tolerance));
  const r = p.sub(weighted(w, corners));
  const skin = pair.d0.add(dot(w, vec3(pair.d1, pair.d2, pair.d3)));

  const [e1, e2] = [x2.sub(x1), x3.sub(x1)];
  const area = cross(e1, e2);
  const square = dot(area, area);
  const hasArea = square.gt(0);
  const inverse = select(hasArea, f32(1).div(select(hasArea, square, f32(1))), f32(0));
  const [g1, g2] = [cross(e2, area).mul(inverse), cross(area, e1).mul(inverse)];
  const halfSpin = (s: Vec3): Vec3 => s.sub(area.mul(dot(area, s).mul(inverse).mul(0.5)));
  const omega = halfSpin(cross(g1, v2.sub(v1)).add(cross(g2, v3.sub(v1))));
  const u = v0.sub(weighted(w, [v1, v2, v3])).sub(cross(omega, r));

  const surface = m1.mul(w.x).add(m2.mul(w.y)).add(m3.mul(w.z));
  const material = combineMaterials(materialOf(m0), materialOf(surface));
  const f = contactForce(skin.sub(norm(r)), normalize(r), u, material, { time, isAtEnd, tolerance });
  const torque = halfSpin(cross(r, f));
  const [h1, h2] = [cross(torque, g1), cross(torque, g2)];
  return {
    f0: f,
    f1: h1.add(h2).sub(f.mul(w.x)),
    f2: f.mul(w.y).add(h1).neg(),
    f3: f.mul(w.z).add(h2).neg(),
  };
}

const materialOf = ({ x, y, z, w }: Vec4) => ({ ke: x, kd: y, kf: z, mu: w });
