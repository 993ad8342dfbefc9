import {
  add,
  cross,
  dot,
  GradsimError,
  levenbergMarquardt,
  norm,
  normalize,
  rotate,
  subtract,
  type Vector,
  vectorOf,
} from '@gradsim/base';
import type { CameraPose, Lens, Point2, Point3 } from './camera.ts';
import { pixelOf, sightLineOf, toCameraAxes } from './camera.ts';
import { covarianceOf, nullVector } from './least-squares.ts';
import { homography, nearestRotation, poseOfHomography } from './plane.ts';
import { composeRotations, positiveQuaternionOfMatrix, quaternionOfVector, unitQuaternion } from './rotation.ts';

/** A camera's pose, with its error and uncertainty. */
export interface FoundPose {
  readonly pose: CameraPose;
  /** Root mean square reprojection error, px. */
  readonly rms: number;
  /**
   * Standard errors of the translation, m, and of the rotation, rad about each of the camera's axes; infinite if there
   * are too few points to estimate them.
   */
  readonly standardErrors: { readonly translation: readonly number[]; readonly rotation: readonly number[] };
}

/** Extent, relative to the largest, below which points count as lying on a plane, or on a line. */
const MIN_RELATIVE_EXTENT = 1e-3;

/**
 * Finds the pose of a camera from known points of the world, m, and the pixels at which it sees them: at least four
 * points if they lie on a plane, at least six otherwise.
 *
 * ```ts
 * const { pose } = findPose(camera, [[0, 0, 0], [0.4, 0, 0], [0.4, 0, 0.3], [0, 0, 0.3]], pixels);
 * ```
 * @throws for fewer points, for points on a line, and if the pose found has points behind the camera.
 */
export function findPose(lens: Lens, points: readonly Point3[], pixels: readonly Point2[]): FoundPose {
  if (points.length !== pixels.length)
    throw new GradsimError(
      'cameras/wrong-size',
      `findPose has ${points.length} points and ${pixels.length} pixels; it needs one for each.`,
    );
  if (points.length < 4)
    throw new GradsimError(
      'cameras/too-few-points',
      `findPose has ${points.length} points; where a camera is takes at least 4.`,
    );
  const sights = pixels.map((pixel) => sightLineOf(lens, pixel));
  const start = initialPose(points, sights);
  return refinePose(lens, points, pixels, start);
}

function initialPose(points: readonly Point3[], sights: readonly Point2[]): CameraPose {
  const { middle, axes, extents } = principalAxes(points);
  if (!(extents[1] > MIN_RELATIVE_EXTENT * extents[0]))
    throw new GradsimError('cameras/points-on-line', 'The known points lie on a line.', {
      hint: 'It takes points off it.',
    });
  if (extents[2] <= MIN_RELATIVE_EXTENT * extents[0]) return initialPoseOnPlane(points, sights, middle, axes);
  if (points.length < 6)
    throw new GradsimError('cameras/too-few-points', `The ${points.length} known points do not lie on a plane.`, {
      hint: 'Then it takes 6 of them, or 4 that lie on one.',
    });
  return initialPoseInSpace(points, sights);
}

/**
 * Initial pose from points on a plane, which may lie anywhere: computed from the homography of coordinates in that
 * plane.
 */
function initialPoseOnPlane(
  points: readonly Point3[],
  sights: readonly Point2[],
  middle: Vector,
  axes: readonly Vector[],
): CameraPose {
  const own = points.map((p): Point2 => {
    const away = subtract(p, middle);
    return [dot(axes[0], away), dot(axes[1], away)];
  });
  const { rotation, translation } = poseOfHomography(homography({ points: own, pixels: sights }));
  // Rows of the axes map the world to the plane: R p + t = R_h A (p - middle) + t_h.
  const whole = composeRotations(rotation, positiveQuaternionOfMatrix(axes));
  return { rotation: whole, translation: subtract(translation, rotate(whole, middle)) };
}

/** Initial pose from six or more points that do not lie on a plane, by the direct linear transform. */
function initialPoseInSpace(points: readonly Point3[], sights: readonly Point2[]): CameraPose {
  const middle = vectorOf((k) => points.reduce((sum, p) => sum + p[k], 0) / points.length);
  const size = Math.max(...points.map((p) => norm(subtract(p, middle))));
  const rows = points.flatMap((p, i) => {
    const q = [...p.map((v, k) => (v - middle[k]) / size), 1];
    const zeros = [0, 0, 0, 0];
    const [x, y] = sights[i];
    return [
      [...q, ...zeros, ...q.map((v) => -x * v)],
      [...zeros, ...q, ...q.map((v) => -y * v)],
    ];
  });
  const { vector, gap } = nullVector(rows);
  if (!(gap > 1e-7))
    throw new GradsimError('cameras/points-undetermined', 'The known points do not say where the camera is.', {
      hint: 'Take some that lie otherwise.',
    });
  const m = [vector.slice(0, 4), vector.slice(4, 8), vector.slice(8, 12)];
  const depth = points.reduce(
    (sum, p) => sum + m[2][3] + p.reduce((s, v, k) => s + (m[2][k] * (v - middle[k])) / size, 0),
    0,
  );
  const by = (depth < 0 ? -1 : 1) / (m.reduce((sum, row) => sum + norm(row), 0) / 3);
  const rotation = positiveQuaternionOfMatrix(nearestRotation(m.map((row) => row.slice(0, 3).map((v) => v * by))));
  const translation = vectorOf((k) => m[k][3] * by * size);
  return { rotation, translation: subtract(translation, rotate(rotation, middle)) };
}

/**
 * Refines a start to the pose that minimises the sum of squared reprojection errors, px^2, by Levenberg and Marquardt.
 */
function refinePose(lens: Lens, points: readonly Point3[], seen: readonly Point2[], start: CameraPose): FoundPose {
  const far = Math.max(1e-3, norm(start.translation));
  const scales = [1, 1, 1, far, far, far];
  const block = {
    unknowns: [0, 1, 2, 3, 4, 5],
    residuals: (values: readonly number[]) => reprojectionErrors(lens, points, seen, perturbPose(start, values)),
  };
  const found = levenbergMarquardt([block], [0, 0, 0, 0, 0, 0], scales);
  const pose = perturbPose(start, found.values);
  if (points.some((p) => !(toCameraAxes(pose, p)[2] > 0)))
    throw new GradsimError('cameras/points-behind', 'Known points come out behind the camera.', {
      hint: 'Look whether pixels and points are in the same order.',
    });
  const variance = found.squares / Math.max(1, found.count - 6);
  const errors = covarianceOf(found, scales).map((row, k) =>
    found.count > 6 ? Math.sqrt(variance * row[k]) : Number.POSITIVE_INFINITY,
  );
  return {
    pose,
    rms: Math.sqrt(found.squares / points.length),
    standardErrors: { rotation: errors.slice(0, 3), translation: errors.slice(3) },
  };
}

/**
 * Returns a pose rotated about the camera's axes by the vector of the first three values, rad, and with the last three,
 * m, added to its translation.
 */
export function perturbPose({ rotation, translation }: CameraPose, [a, b, c, x, y, z]: readonly number[]): CameraPose {
  return {
    rotation: unitQuaternion(composeRotations(quaternionOfVector([a, b, c]), rotation)),
    translation: add(translation, [x, y, z]),
  };
}

/** Reprojection errors, px: x and y of each point in turn. */
export function reprojectionErrors(
  lens: Lens,
  points: readonly Point3[],
  pixels: readonly Point2[],
  pose: CameraPose,
): number[] {
  return points.flatMap((point, k) => {
    const [x, y, z] = toCameraAxes(pose, point);
    const [u, v] = pixelOf(lens, [x / z, y / z]);
    return [u - pixels[k][0], v - pixels[k][1]];
  });
}

/**
 * Returns the mean of points, the principal axes of their scatter (largest extent first, right-handed), and the
 * extents.
 */
function principalAxes(points: readonly Point3[]) {
  const middle = vectorOf((k) => points.reduce((sum, p) => sum + p[k], 0) / points.length);
  const rows = points.map((p) => subtract(p, middle));
  const [x, y, z] = nullVector(rows).vector;
  const third: Vector = [x, y, z];
  const helper = Math.abs(third[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0];
  const e1 = normalize(cross(helper, third));
  const e2 = cross(third, e1);
  // Extents within the plane, of the scatter's 2 x 2 part.
  const [xx, xy, yy] = rows.reduce(
    ([a, b, c], r) => {
      const [u, v] = [dot(r, e1), dot(r, e2)];
      return [a + u * u, b + u * v, c + v * v];
    },
    [0, 0, 0],
  );
  const mean = (xx + yy) / 2;
  const half = Math.hypot((xx - yy) / 2, xy);
  const flat = rows.reduce((sum, r) => sum + dot(r, third) ** 2, 0);
  return {
    middle,
    axes: [e1, e2, third],
    extents: [Math.sqrt(mean + half), Math.sqrt(Math.max(0, mean - half)), Math.sqrt(flat)],
  };
}
