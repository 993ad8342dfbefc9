/** A quaternion (x, y, z, w) of length 1. */
export type Quaternion = [number, number, number, number];
/** Row by row. */
export type Matrix3 = readonly (readonly number[])[];

export function unit([x, y, z, w]: readonly number[]): Quaternion {
  const length = Math.hypot(x, y, z, w);
  // One of the two that are the same rotation.
  const by = (w < 0 ? -1 : 1) / length;
  return [x * by, y * by, z * by, w * by];
}

/** The rotation about a vector, by its length in radians (Rodrigues). */
export function ofVector([x, y, z]: readonly number[]): Quaternion {
  const angle = Math.hypot(x, y, z);
  const s = angle < 1e-8 ? 0.5 - angle ** 2 / 48 : Math.sin(angle / 2) / angle;
  return unit([s * x, s * y, s * z, Math.cos(angle / 2)]);
}

/** First b, then a. */
export function after([ax, ay, az, aw]: readonly number[], [bx, by, bz, bw]: readonly number[]): Quaternion {
  return unit([
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ]);
}

/** Of a rotation matrix. Source: S. W. Shepperd, 1978. */
export function ofMatrix(m: Matrix3): Quaternion {
  const trace = m[0][0] + m[1][1] + m[2][2];
  const squares = [m[0][0], m[1][1], m[2][2]].map((d) => 1 + 2 * d - trace);
  const all = [...squares, 1 + trace];
  const k = all.indexOf(Math.max(...all));
  const [xy, xz, yz] = [m[0][1] + m[1][0], m[0][2] + m[2][0], m[1][2] + m[2][1]];
  const [x, y, z] = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]];
  if (k === 0) return unit([all[0], xy, xz, x]);
  if (k === 1) return unit([xy, all[1], yz, y]);
  if (k === 2) return unit([xz, yz, all[2], z]);
  return unit([x, y, z, all[3]]);
}
