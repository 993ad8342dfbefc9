import type { F32, Mat33, Vec3 } from '@gradsim/core';
import { cross, dot, mat33, matFromColumns, Quat, vec3 } from '@gradsim/core';

/** A symmetric 3 x 3 matrix: its diagonal xx, yy, zz, and its entries xy, xz, yz. */
export interface Symmetric {
  readonly diagonal: Vec3;
  readonly offDiagonal: Vec3;
}

export const symmetric = (diagonal: Vec3, offDiagonal: Vec3): Symmetric => ({ diagonal, offDiagonal });
export const multipleOfOne = (factor: F32): Symmetric => symmetric(vec3(factor, factor, factor), ZERO());

/** Returns the zero vector. */
export const ZERO = (): Vec3 => vec3(0, 0, 0);

/** Returns the rows of a symmetric matrix, which are also its columns. */
export function rowsOf({ diagonal: d, offDiagonal: o }: Symmetric): readonly [Vec3, Vec3, Vec3] {
  return [vec3(d.x, o.x, o.y), vec3(o.x, d.y, o.z), vec3(o.y, o.z, d.z)];
}

export function times(m: Symmetric, v: Vec3): Vec3 {
  const [x, y, z] = rowsOf(m);
  return vec3(dot(x, v), dot(y, v), dot(z, v));
}

export const addSymmetric = (a: Symmetric, b: Symmetric): Symmetric =>
  symmetric(a.diagonal.add(b.diagonal), a.offDiagonal.add(b.offDiagonal));

/** Builds a symmetric matrix from its entries (row, column) on and above the diagonal. */
export const symmetricFromEntries = (entry: (row: number, column: number) => F32): Symmetric =>
  symmetric(vec3(entry(0, 0), entry(1, 1), entry(2, 2)), vec3(entry(0, 1), entry(0, 2), entry(1, 2)));

/** Returns m - u w^T, where w is a multiple of u, so that the result is symmetric. */
const subtractOuter = (m: Symmetric, u: Vec3, w: Vec3): Symmetric => {
  const rows = rowsOf(m);
  return symmetricFromEntries((i, j) => rows[i].components[j].sub(u.components[i].mul(w.components[j])));
};

/** Returns the symmetric part of a matrix that is symmetric except for rounding. */
export const symmetricPart = (m: Mat33): Symmetric =>
  symmetricFromEntries((i, j) => (i === j ? m.entry(i, i) : m.entry(i, j).add(m.entry(j, i)).mul(0.5)));

/** Returns the rotated matrix R m R^T. */
export function rotateSymmetric(m: Symmetric, r: Mat33): Symmetric {
  const half = [0, 1, 2].map((k) => times(m, r.row(k)));
  return symmetricFromEntries((i, j) => dot(half[i], r.row(j)));
}

/** Returns the matrix [v] of the cross product, [v] w = v x w. */
export const skew = (v: Vec3): Mat33 => mat33(0, v.z.neg(), v.y, v.z, 0, v.x.neg(), v.y.neg(), v.x, 0);

/** Returns the rotation matrix of a unit quaternion. */
export function rotationOf(q: Quat): Mat33 {
  const [x, y, z] = q.vector.components;
  const { w } = q;
  const [x2, y2, z2] = [x.add(x), y.add(y), z.add(z)];
  const [xx, yy, zz] = [x.mul(x2), y.mul(y2), z.mul(z2)];
  const [xy, xz, yz] = [x.mul(y2), x.mul(z2), y.mul(z2)];
  const [wx, wy, wz] = [w.mul(x2), w.mul(y2), w.mul(z2)];
  const one = (a: F32, b: F32): F32 => a.add(b).neg().add(1);
  return mat33(
    ...[one(yy, zz), xy.sub(wz), xz.add(wy)],
    ...[xy.add(wz), one(xx, zz), yz.sub(wx)],
    ...[xz.sub(wy), yz.add(wx), one(xx, yy)],
  );
}

/** Returns the identity quaternion (0, 0, 0, 1). */
export const IDENTITY = (): Quat => new Quat([0, 0, 0, 1]);

/**
 * A spatial velocity, displacement or acceleration of a link: its angular part, and the linear part of its origin.
 * World axes.
 */
export interface Motion {
  readonly angular: Vec3;
  readonly linear: Vec3;
}
/** A force, and its moment about an origin. World axes. */
export interface Wrench {
  readonly moment: Vec3;
  readonly force: Vec3;
}

/** Power of a wrench along a spatial velocity, W. */
export const power = (w: Wrench, m: Motion): F32 => dot(w.moment, m.angular).add(dot(w.force, m.linear));

/** Inertia of a link and all its descendants, about its origin: moment = A alpha + H a, force = H^T alpha + M a. */
export interface ArticulatedInertia {
  readonly angular: Symmetric;
  readonly coupling: Mat33;
  readonly linear: Symmetric;
}

export const wrenchOf = ({ angular, coupling, linear }: ArticulatedInertia, m: Motion): Wrench => ({
  moment: times(angular, m.angular).add(coupling.mul(m.linear)),
  force: vec3(
    dot(coupling.column(0), m.angular),
    dot(coupling.column(1), m.angular),
    dot(coupling.column(2), m.angular),
  ).add(times(linear, m.linear)),
});

/** Returns I - U w^T, where w is a multiple of U. */
export function subtractRankOne(i: ArticulatedInertia, u: Wrench, w: Wrench): ArticulatedInertia {
  const { components: m } = u.moment;
  return {
    angular: subtractOuter(i.angular, u.moment, w.moment),
    coupling: mat33(...i.coupling.entries.map((h, k) => h.sub(m[Math.floor(k / 3)].mul(w.force.components[k % 3])))),
    linear: subtractOuter(i.linear, u.force, w.force),
  };
}

/**
 * Returns the inertia about another origin, from which the current one is at r. With alpha x r = -[r] alpha added to
 * the acceleration, and r x force to the moment: M' = M, H' = H + [r] M, A' = A + [r] H^T + ([r] H^T)^T - [r] M [r].
 */
export function aboutParent(i: ArticulatedInertia, r: Vec3): ArticulatedInertia {
  const lever = matFromColumns(rowsOf(i.linear).map((m) => cross(r, m)));
  // Column j of [r] H^T is r x (row j of H); row i of -[r] M [r] is r x (row i of [r] M).
  const lifted = [0, 1, 2].map((k) => cross(r, i.coupling.row(k)));
  const swung = [0, 1, 2].map((k) => cross(r, lever.row(k)));
  const rows = rowsOf(i.angular);
  const entry = (a: number, b: number): F32 =>
    rows[a].components[b].add(lifted[b].components[a].add(lifted[a].components[b])).add(swung[a].components[b]);
  return { angular: symmetricFromEntries(entry), coupling: i.coupling.add(lever), linear: i.linear };
}
