import { determinant, quaternionOfMatrix, rowsOf } from '@gradsim/base';

/** Principal moments of an inertia tensor, and the axes in which it is diagonal. */
export interface PrincipalAxes {
  /** Principal moments of inertia, ascending, in kg m2. */
  moments: readonly [number, number, number];
  /** Unit principal axes as the columns of a rotation matrix R, stored row by row: `I = R diag(moments) R^T`. */
  axes: Float64Array;
  /** Rotation R as a quaternion (x, y, z, w), from principal axes to the coordinates of the tensor. */
  rotation: readonly [number, number, number, number];
}

/**
 * Principal axes of a symmetric 3 x 3 tensor by cyclic Jacobi rotations, which are accurate to the last digits for
 * symmetric matrices (Golub and Van Loan, "Matrix Computations", section 8.5).
 *
 * @example
 * const { moments } = principalAxes(massProperties(mesh, { density: 1 }).inertia);
 */
export function principalAxes(tensor: ArrayLike<number>): PrincipalAxes {
  const a = Array.from(tensor);
  const v = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const scale = Math.hypot(...a);
  for (let sweep = 0; sweep < 50 && Math.hypot(a[1], a[2], a[5]) > 1e-17 * scale; sweep++) {
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ]) {
      jacobiRotation(a, v, p, q);
    }
  }
  const order = [0, 1, 2].sort((i, j) => a[4 * i] - a[4 * j]);
  const axes = Float64Array.from({ length: 9 }, (_, k) => v[3 * Math.floor(k / 3) + order[k % 3]]);
  if (determinant(rowsOf(axes)) < 0) for (let row = 0; row < 3; row++) axes[3 * row + 2] *= -1;
  return {
    moments: [a[4 * order[0]], a[4 * order[1]], a[4 * order[2]]],
    axes,
    rotation: quaternionOfMatrix(rowsOf(axes)),
  };
}

/** Applies one Jacobi rotation J that makes a[p][q] zero, in place: a becomes J^T a J, and v becomes v J. */
function jacobiRotation(a: number[], v: number[], p: number, q: number): void {
  const off = a[3 * p + q];
  if (off === 0) return;
  const theta = (a[4 * q] - a[4 * p]) / (2 * off);
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1));
  const c = 1 / Math.hypot(t, 1);
  const s = t * c;
  for (let k = 0; k < 3; k++) [a[3 * k + p], a[3 * k + q]] = rotatePair(a[3 * k + p], a[3 * k + q], c, s);
  for (let k = 0; k < 3; k++) [a[3 * p + k], a[3 * q + k]] = rotatePair(a[3 * p + k], a[3 * q + k], c, s);
  for (let k = 0; k < 3; k++) [v[3 * k + p], v[3 * k + q]] = rotatePair(v[3 * k + p], v[3 * k + q], c, s);
  a[3 * p + q] = 0;
  a[3 * q + p] = 0;
}

function rotatePair(x: number, y: number, c: number, s: number): [number, number] {
  return [c * x - s * y, s * x + c * y];
}
