import type { Quaternion } from '@gradsim/base';
import { described, GradsimError } from '@gradsim/base';
import type { BoardView } from './calibrate.ts';
import type { Camera, Lens, Point2, Pose } from './camera.ts';
import { sightOf } from './camera.ts';
import { type FoundPose, findPose } from './pose.ts';
import { after } from './rotation.ts';

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
export function poseOverFloor(lens: Lens, { points, seen }: Pick<BoardView, 'points' | 'seen'>): FoundPose {
  // Board axes x, y and their product, which points away from the camera: down. World (x, y, z) is board (x, z, -y).
  return findPose(
    lens,
    points.map(([x, y]) => [x, 0, y]),
    seen,
  );
}

/** Axis of a file's world that points upwards. */
export type Up = 'y' | 'z' | '-y' | '-z';

const H = Math.SQRT1_2;
/** Rotations from a world with y upwards to one with another upward axis. */
const TO_OTHER: Readonly<Record<Up, Quaternion>> = {
  y: [0, 0, 0, 1],
  // (x, y, z) to (x, -z, y): a quarter turn about x.
  z: [H, 0, 0, H],
  '-y': [1, 0, 0, 0],
  '-z': [-H, 0, 0, H],
};

/**
 * Converts a pose in a world with the upward axis `up` to one in a world with y upwards. @throws for an invalid axis.
 */
export function poseWithYUp(pose: Pose, up: Up): Pose {
  if (!Object.hasOwn(TO_OTHER, up))
    throw new GradsimError('cameras/unknown-choice', `up is "${up}".`, {
      hint: `It must be ${Object.keys(TO_OTHER).join(', ')}.`,
    });
  return { rotation: after(pose.rotation, TO_OTHER[up]), translation: pose.translation };
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
): Camera & { readonly metresPerPixel: number; readonly pose: Pose } {
  if (!(length > 0 && Number.isFinite(length)))
    throw new GradsimError('cameras/option-out-of-range', `The known length is ${described(length)}.`, {
      hint: 'It must be a number above 0, in metres.',
    });
  const [a, b, middle] = [from, to, [(lens.width - 1) / 2, (lens.height - 1) / 2] as const].map((p) =>
    sightOf(lens, p),
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
