import { GradsimError, levenbergMarquardt, mean } from '@gradsim/base';
import type { Camera, CameraPose, Lens, Point2, Point3 } from './camera.ts';
import { cameraPosition, NO_DISTORTION, toCameraAxes } from './camera.ts';
import { covarianceOf } from './least-squares.ts';
import { poseLookingAt } from './look-at.ts';
import { perturbPose, reprojectionErrors } from './pose.ts';

/** Corner of a box, marked in a picture. */
export interface MarkedCorner {
  /** Number of the corner, 0 to 7: 1 is added for the end towards x, 2 for the upper side, 4 for the end towards z. */
  readonly corner: number;
  /** Pixel coordinates of the mark. */
  readonly pixel: Point2;
}

/** Options of {@link cameraOfBox}. */
export interface BoxCameraOptions {
  /** Focal length of the lens as far as it is known otherwise, px, with its standard deviation. */
  readonly focalLength: { readonly value: number; readonly tolerance: number };
  /** Standard deviation of a mark's position along each axis, px. */
  readonly pixelError: number;
  /** Camera from which the search starts; default: tried from all sides above the plane. */
  readonly start?: Camera & { readonly pose: CameraPose };
}

/** Camera found by {@link cameraOfBox}. */
export interface BoxCamera {
  /** Lens, and pose in the box's axes: origin in the middle of its lower side, y upwards. */
  readonly camera: Camera & { readonly pose: CameraPose };
  /** Root mean square distance of the marks from the box's corners as this camera sees them, px. */
  readonly rms: number;
  /**
   * The seven values that the camera follows from: logarithm of the focal length, px; logarithm of the origin's depth,
   * m; position of the origin in the picture, px, x and y; and a rotation vector about the camera's axes, rad.
   */
  readonly values: readonly number[];
  /** Covariance of the values, by pixelError, or by the marks' own scatter if that is larger. */
  readonly covariance: readonly (readonly number[])[];
  /** Camera of other values. */
  cameraAt(values: readonly number[]): Camera & { readonly pose: CameraPose };
}

/** Smallest number of marks from which a camera is found: eight coordinates for seven values. */
const MIN_MARKS = 4;
/** Directions from which the search starts: degrees about the vertical, and above the plane. */
const [AROUND, ABOVE] = [
  [0, 45, 90, 135, 180, 225, 270, 315],
  [8, 25, 50, 75],
];

/** Corners of a box of a size, m, that stands on the plane y = 0 around the origin, as {@link MarkedCorner} counts them. */
export const cornersOfBox = ([x, y, z]: Point3): Point3[] =>
  Array.from({ length: 8 }, (_, k) => [k & 1 ? x / 2 : -x / 2, k & 2 ? y : 0, k & 4 ? z / 2 : -z / 2]);

/**
 * Finds focal length and pose of a camera from corners of a box that were marked in its picture. The box stands on a plane,
 * above which the camera is; its height may be 0, as of a sheet of paper. What the marks do not determine, such as the
 * focal length where the box is small, stays as uncertain as it was given.
 *
 * ```ts
 * const marks = [{ corner: 4, at: [101, 300] as const }, ...others];
 * const { camera } = cameraOfBox([0.3, 0.2, 0.2], marks, { width: 640, height: 480 }, { focalLength, pixelError: 1 });
 * ```
 * @param size of the box, m, along its axes x, y, z.
 * @throws for fewer than four marks without a start, and if no camera above the plane sees the corners so.
 */
export function cameraOfBox(
  size: Point3,
  marks: readonly MarkedCorner[],
  picture: { readonly width: number; readonly height: number },
  { focalLength, pixelError, start }: BoxCameraOptions,
): BoxCamera {
  if (marks.length < MIN_MARKS && !start)
    throw new GradsimError('cameras/too-few-points', `${marks.length} corners of the box are marked.`, {
      hint: `It takes at least ${MIN_MARKS}.`,
    });
  const corners = cornersOfBox(size);
  const points = marks.map(({ corner }) => corners[corner]);
  const seen = marks.map(({ pixel }) => pixel);
  const middle: Point2 = [(picture.width - 1) / 2, (picture.height - 1) / 2];
  const lensAt = (logFocal: number): Lens => ({
    ...picture,
    focalLength: [Math.exp(logFocal), Math.exp(logFocal)],
    principalPoint: middle,
    distortion: NO_DISTORTION,
  });
  const spread = (all: readonly (readonly number[])[]): number =>
    Math.sqrt(
      all[0].reduce((sum, _, k) => {
        const middle = mean(all.map((p) => p[k]));
        return sum + all.reduce((total, p) => total + (p[k] - middle) ** 2, 0);
      }, 0),
    );
  // As far away as the box is small in the picture.
  const depth = marks.length > 1 ? (focalLength.value * spread(points)) / Math.max(spread(seen), 1) : 1;
  const origin = [0, 1].map((k) => mean(seen.map((p) => p[k])));

  const searchFrom = (rotation: CameraPose['rotation'], from: readonly number[]) => {
    const at = (values: readonly number[]): Camera & { readonly pose: CameraPose } => {
      const [logFocal, logDepth, x, y, ...turn] = values;
      const lens = lensAt(logFocal);
      const z = Math.exp(logDepth);
      const translation = [((x - middle[0]) * z) / lens.focalLength[0], ((y - middle[1]) * z) / lens.focalLength[1], z];
      const turned = perturbPose({ rotation, translation: [0, 0, 0] }, [...turn, 0, 0, 0]);
      return { ...lens, pose: { rotation: turned.rotation, translation: translation as unknown as Point3 } };
    };
    const residuals = (values: readonly number[]): number[] => {
      const camera = at(values);
      return [
        ...reprojectionErrors(camera, points, seen, camera.pose).map((off) => off / pixelError),
        (values[0] - Math.log(focalLength.value)) / (focalLength.tolerance / focalLength.value),
      ];
    };
    const scales = [1, 1, focalLength.value / 4, focalLength.value / 4, 1, 1, 1];
    const found = levenbergMarquardt([{ unknowns: [0, 1, 2, 3, 4, 5, 6], residuals }], from, scales);
    return { found, at, scales };
  };

  const valuesOf = ({
    focalLength: [focal],
    pose: { translation },
  }: Camera & { readonly pose: CameraPose }): number[] => {
    const [x, y, z] = translation;
    return [Math.log(focal), Math.log(z), middle[0] + (focal * x) / z, middle[1] + (focal * y) / z, 0, 0, 0];
  };
  const starts = start
    ? [searchFrom(start.pose.rotation, valuesOf(start))]
    : AROUND.flatMap((around) =>
        ABOVE.map((above) => {
          const [a, b] = [around, above].map((degrees) => (degrees * Math.PI) / 180);
          const eye: Point3 = [Math.sin(a) * Math.cos(b), Math.sin(b), Math.cos(a) * Math.cos(b)];
          const { rotation } = poseLookingAt(eye, [0, 0, 0]);
          return searchFrom(rotation, [Math.log(focalLength.value), Math.log(depth), ...origin, 0, 0, 0]);
        }),
      );
  const above = starts.filter(({ found, at }) => {
    const { pose } = at(found.values);
    return cameraPosition(pose)[1] > 0 && points.every((point) => toCameraAxes(pose, point)[2] > 0);
  });
  if (above.length === 0)
    throw new GradsimError('cameras/points-behind', 'No camera above the plane sees the corners of the box so.', {
      hint: 'Look whether each mark is on its own corner.',
    });
  const { found, at, scales } = above.reduce((best, each) => (each.found.squares < best.found.squares ? each : best));
  const camera = at(found.values);
  const squares = reprojectionErrors(camera, points, seen, camera.pose).reduce((sum, off) => sum + off * off, 0);
  const scatter = Math.max(1, squares / pixelError ** 2 / Math.max(1, 2 * marks.length - 6));
  return {
    camera,
    rms: Math.sqrt(squares / marks.length),
    values: found.values,
    covariance: covarianceOf(found, scales).map((row) => row.map((v) => v * scatter)),
    cameraAt: at,
  };
}
