import { conjugate, multiplyQuaternions } from '@gradsim/base';

/** A rotation as a quaternion (x, y, z, w); q and -q are the same rotation. */
export type Quaternion = ArrayLike<number>;

/** Tangent of half the rotation angle below which sine and angle count as equal. */
const MIN_TANGENT = 1e-9;

/**
 * Rotation r that takes the orientation `from` to `to` (to = r from), as a rotation vector in world axes: the unit axis
 * times the angle, rad, at most pi. The quaternions need not be normalised, and their signs do not matter.
 *
 * ```ts
 * rotationBetween([0, 0, 0, 1], [0, 0, Math.SQRT1_2, Math.SQRT1_2]); // a quarter turn about z: [0, 0, pi / 2]
 * ```
 */
export function rotationBetween(from: Quaternion, to: Quaternion): [number, number, number] {
  const relative = productWithConjugate(to, from);
  const [x, y, z] = relative;
  const scale = perSine(relative);
  return [scale * x, scale * y, scale * z];
}

/** Derivative of {@link rotationBetween} along a tangent of `to`. */
export function rotationAlong(from: Quaternion, to: Quaternion, tangent: Quaternion): [number, number, number] {
  const [q, dq] = [productWithConjugate(to, from), productWithConjugate(tangent, from)];
  const slope = slopeOf(q);
  // r = s(n, w) v, with n = |v|.
  const ds = slope.byW * dq[3] + slope.byV * (q[0] * dq[0] + q[1] * dq[1] + q[2] * dq[2]);
  return [0, 1, 2].map((k) => slope.scale * dq[k] + ds * q[k]) as [number, number, number];
}

/** Adjoint of `to` from an adjoint of the rotation vector: the transpose of {@link rotationAlong}. */
export function rotationAdjoint(
  from: Quaternion,
  to: Quaternion,
  adjoint: ArrayLike<number>,
): [number, number, number, number] {
  const q = productWithConjugate(to, from);
  const slope = slopeOf(q);
  const along = q[0] * adjoint[0] + q[1] * adjoint[1] + q[2] * adjoint[2];
  const onV = [0, 1, 2].map((k) => slope.scale * adjoint[k] + slope.byV * along * q[k]);
  // The transpose of a product with the conjugate of `from` is one with `from` itself.
  const [x, y, z, w] = multiplyQuaternions([...onV, slope.byW * along], from);
  return [x, y, z, w];
}

/** Product of p and the conjugate of q. */
const productWithConjugate = (p: Quaternion, q: Quaternion) => multiplyQuaternions(p, conjugate(q));

/** Rotation angle divided by the length n of the quaternion's vector part; negative if -q is the shorter rotation. */
function perSine([x, y, z, w]: readonly number[]): number {
  const n = Math.hypot(x, y, z);
  if (n <= MIN_TANGENT * Math.abs(w)) return 2 / (w || 1);
  // If w < 0 the other sign of the quaternion gives the shorter rotation.
  return (Math.sign(w || 1) * 2 * Math.atan2(n, Math.abs(w))) / n;
}

/**
 * `scale` s = angle / n, with the length n of the vector part v, and the factors of its differential: ds = byW dw + byV
 * v . dv.
 */
function slopeOf(q: readonly number[]): { scale: number; byW: number; byV: number } {
  const [x, y, z, w] = q;
  const n = Math.hypot(x, y, z);
  const scale = perSine(q);
  const squares = n * n + w * w;
  if (n <= 1e-4 * Math.abs(w)) return { scale, byW: -2 / (w * w || 1), byV: -4 / (3 * w ** 3 || 1) };
  // angle = 2 atan(n / w): d angle = 2 (w dn - n dw) / (n^2 + w^2), and n dn = v . dv.
  return { scale, byW: -2 / squares, byV: ((2 * w) / squares - scale) / (n * n) };
}
