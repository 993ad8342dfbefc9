import { cross, determinant, GradsimError, type Matrix3, multiplyMatrices, transpose } from '@gradsim/base';
import { singularValues } from '@gradsim/base/decompositions';
import type { CameraPose, Lens, Point2 } from './camera.ts';
import { nullVector } from './least-squares.ts';
import { positiveQuaternionOfMatrix } from './rotation.ts';

/** Points of a plane, and the pixels at which a camera sees them. */
export interface PlaneView {
  /** Points on the plane, m. */
  readonly points: readonly Point2[];
  /** Pixel coordinates of each point in the picture. */
  readonly pixels: readonly Point2[];
}

/**
 * Returns the homography from a plane to the picture, by the direct linear transform on points normalised to a size of
 * about 1. Source: R. Hartley, In defence of the eight-point algorithm, 1997.
 * @throws for points that lie on a line.
 */
export function homography({ points, pixels: seen }: PlaneView): Matrix3 {
  const [from, to] = [normalisePoints(points), normalisePoints(seen)];
  const rows = from.points.flatMap(([x, y], k) => {
    const [u, v] = to.points[k];
    return [
      [x, y, 1, 0, 0, 0, -u * x, -u * y, -u],
      [0, 0, 0, x, y, 1, -v * x, -v * y, -v],
    ];
  });
  const { vector, gap } = nullVector(rows);
  if (!(gap > 1e-6))
    throw new GradsimError('cameras/points-on-line', 'The points of the plane lie on a line, or are seen on one.');
  const h = [vector.slice(0, 3), vector.slice(3, 6), vector.slice(6, 9)];
  return multiplyMatrices(multiplyMatrices(to.back, h), from.there);
}

/**
 * Normalises points to zero mean and a mean squared distance of 2 from it; returns them with the matrices of the
 * normalisation (`there`) and its inverse (`back`).
 */
function normalisePoints(points: readonly Point2[]) {
  const n = points.length;
  const [x, y] = [0, 1].map((c) => points.reduce((sum, p) => sum + p[c], 0) / n);
  const size = Math.sqrt(points.reduce((sum, p) => sum + (p[0] - x) ** 2 + (p[1] - y) ** 2, 0) / n / 2) || 1;
  return {
    points: points.map((p): Point2 => [(p[0] - x) / size, (p[1] - y) / size]),
    there: [
      [1 / size, 0, -x / size],
      [0, 1 / size, -y / size],
      [0, 0, 1],
    ],
    back: [
      [size, 0, x],
      [0, size, y],
      [0, 0, 1],
    ],
  };
}

/** Closed-form estimate of a lens: focal lengths and principal point, px. */
export type LensStart = Pick<Lens, 'focalLength' | 'principalPoint'>;

/**
 * Estimates focal lengths and principal point, without skew, from the homographies of three or more views of a plane.
 * Source: Z. Zhang, A flexible new technique for camera calibration, 2000, appendix B.
 * @returns undefined if they are not determined.
 */
export function lensOfHomographies(
  homographies: readonly Matrix3[],
  { width, height }: { readonly width: number; readonly height: number },
): LensStart | undefined {
  // Pixels scaled to about one, relative to the centre of the picture.
  const size = width + height;
  const middle = [(width - 1) / 2, (height - 1) / 2];
  const rows = homographies.flatMap((h) => {
    const scaled = [
      h[0].map((v, j) => (v - middle[0] * h[2][j]) / size),
      h[1].map((v, j) => (v - middle[1] * h[2][j]) / size),
      h[2],
    ];
    const length = Math.hypot(...scaled.map((row) => row[0]));
    const n = scaled.map((row) => row.map((v) => v / length));
    const row = (i: number, j: number): number[] => [
      n[0][i] * n[0][j],
      n[1][i] * n[1][j],
      n[2][i] * n[0][j] + n[0][i] * n[2][j],
      n[2][i] * n[1][j] + n[1][i] * n[2][j],
      n[2][i] * n[2][j],
    ];
    const [a, b] = [row(0, 0), row(1, 1)];
    return [row(0, 1), a.map((v, k) => v - b[k])];
  });
  const { vector } = nullVector(rows);
  const sign = vector[0] < 0 ? -1 : 1;
  const [b11, b22, b13, b23, b33] = vector.map((v) => sign * v);
  const [cx, cy] = [-b13 / b11, -b23 / b22];
  const scale = b33 - b11 * cx * cx - b22 * cy * cy;
  const [fx2, fy2] = [scale / b11, scale / b22];
  if (!(fx2 > 0 && fy2 > 0)) return undefined;
  return {
    focalLength: [Math.sqrt(fx2) * size, Math.sqrt(fy2) * size],
    principalPoint: [cx * size + middle[0], cy * size + middle[1]],
  };
}

/**
 * Returns the pose of a camera from the homography between the plane z = 0 of the world and the camera's plane of depth
 * 1; of the two solutions that with the world's origin in front of the camera.
 */
export function poseOfHomography(h: Matrix3): CameraPose {
  const [a, b] = [0, 1].map((j) => Math.hypot(h[0][j], h[1][j], h[2][j]));
  const by = ((h[2][2] < 0 ? -1 : 1) * 2) / (a + b);
  const [r1, r2, t] = [0, 1, 2].map((j) => h.map((row) => row[j] * by));
  const rotation = nearestRotation(transpose([r1, r2, cross(r1, r2)]));
  return { rotation: positiveQuaternionOfMatrix(rotation), translation: [t[0], t[1], t[2]] };
}

/** Returns the rotation matrix nearest to a matrix, in the Frobenius norm. */
export function nearestRotation(m: Matrix3): Matrix3 {
  const { left, right } = singularValues(m);
  const rows = multiplyMatrices(left, transpose(right));
  if (determinant(rows) > 0) return rows;
  return multiplyMatrices(
    left.map(([a, b, c]) => [a, b, -c]),
    transpose(right),
  );
}
