import type { Quaternion } from '@gradsim/base';
import { describeValue, GradsimError } from '@gradsim/base';
import type { BoardView } from './calibrate.ts';
import type { Camera, CameraPose, Lens, Point2 } from './camera.ts';
import { sightLineOf } from './camera.ts';
import { type FoundPose, findPose } from './pose.ts';
import { composeRotations } from './rotation.ts';

/**
 * Finds the pose of a camera that sees a board lying on the floor. The world's origin is the board's first corner, on
 * the floor y = 0, with y upwards; x points along the board's rows, and z along its columns, away from the first
 * corner.
 *
 * ```ts
 * const { pose } = poseOverFloor(camera, view);
 * scene.add(PinholeCamera, pinholeOf({ ...camera, pose }));
 * ```
 * @throws if the pose is not determined, or the points come out behind the camera.
 */
export function poseOverFloor(lens: Lens, { points, pixels: seen }: Pick<BoardView, 'points' | 'pixels'>): FoundPose {
  // Board axes x, y and their product, which points away from the camera: down. World (x, y, z) is board (x, z, -y).
  return findPose(
    lens,
    points.map(([x, y]) => [x, 0, y]),
    seen,
  );
}

/** Axis of a file's world that points upwards. */
export type Up = 'y' | 'z' | '-y' | '-z';

const SQRT_HALF = Math.SQRT1_2;
/** Rotations from a world with y upwards to one with another upward axis. */
const ROTATION_TO_UP: Readonly<Record<Up, Quaternion>> = {
  y: [0, 0, 0, 1],
  // (x, y, z) to (x, -z, y): a quarter turn about x.
  z: [SQRT_HALF, 0, 0, SQRT_HALF],
  '-y': [1, 0, 0, 0],
  '-z': [-SQRT_HALF, 0, 0, SQRT_HALF],
};

/**
 * Converts a pose in a world with the upward axis `up` to one in a world with y upwards. @throws for an invalid axis.
 */
export function poseWithYUp(pose: CameraPose, up: Up): CameraPose {
  if (!Object.hasOwn(ROTATION_TO_UP, up))
    throw new GradsimError('cameras/unknown-choice', `up is "${up}".`, {
      hint: `It must be ${Object.keys(ROTATION_TO_UP).join(', ')}.`,
    });
  return { rotation: composeRotations(pose.rotation, ROTATION_TO_UP[up]), translation: pose.translation };
}

/**
 * Places a camera that faces a plane on which a length (m) between two pixels is known: adds the scale of the plane, m
 * per px, and a pose at the distance that follows from the focal length. The plane is z = 0, with the origin in the
 * middle of the picture, x to the right and y upwards.
 *
 * ```ts
 * const camera = cameraOfLength(lens, [[100, 240], [540, 240]], 0.5);
 * console.log(camera.metresPerPixel);
 * ```
 * @throws for a length that is not above 0, and for end points less than a pixel apart.
 */
export function cameraOfLength(
  lens: Lens,
  [from, to]: readonly [Point2, Point2],
  length: number,
): Camera & { readonly metresPerPixel: number; readonly pose: CameraPose } {
  if (!(length > 0 && Number.isFinite(length)))
    throw new GradsimError('cameras/option-out-of-range', `The known length is ${describeValue(length)}.`, {
      hint: 'It must be a number above 0, in metres.',
    });
  const [a, b, middle] = [from, to, [(lens.width - 1) / 2, (lens.height - 1) / 2] as const].map((p) =>
    sightLineOf(lens, p),
  );
  const apart = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (!(Math.hypot(to[0] - from[0], to[1] - from[1]) >= 1))
    throw new GradsimError(
      'cameras/length-too-short',
      `The ends of the known length are at pixels (${from.join(', ')}) and (${to.join(', ')}), less than a pixel apart.`,
    );
  const distance = length / apart;
  return {
    ...lens,
    metresPerPixel: distance / Math.sqrt(lens.focalLength[0] * lens.focalLength[1]),
    pose: {
      // x right, y down, z forward are x, -y, -z of the world.
      rotation: [1, 0, 0, 0],
      translation: [middle[0] * distance, middle[1] * distance, distance],
    },
  };
}
