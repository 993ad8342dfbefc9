import { GradsimError, norm, normalize, rotate, subtract } from '@gradsim/base';
import type { CameraPose, Point3 } from './camera.ts';
import { positiveQuaternionOfMatrix } from './rotation.ts';

/**
 * Sine of the angle between viewing direction and vertical below which a camera counts as looking straight up or down.
 */
const MIN_UP_SINE = 1e-6;

/**
 * Returns the pose of a camera at `eye`, m, with `target`, m, in the middle of its picture and its picture upright, in
 * a world with y upwards.
 *
 * ```ts
 * const pose = poseLookingAt([0, 0.6, 3], [0, 0.6, 0]);
 * scene.add(PinholeCamera, pinholeOf({ ...lens, pose }));
 * ```
 * @throws if `eye` equals `target`, or the camera looks straight up or down, since the picture's upward direction is
 * then undefined.
 */
export function poseLookingAt(eye: Point3, target: Point3): CameraPose {
  const away = subtract(target, eye);
  const far = norm(away);
  if (!(far > 0 && Number.isFinite(far)))
    throw new GradsimError(
      'cameras/camera-at-target',
      `The camera is at (${eye.join(', ')}) and looks at (${target.join(', ')}); those must be two places.`,
    );
  const [x, y, z] = normalize(away);
  const level = Math.hypot(x, z);
  if (level < MIN_UP_SINE)
    throw new GradsimError(
      'cameras/looks-along-plumb',
      `The camera at (${eye.join(', ')}) looks straight ${y > 0 ? 'up' : 'down'}: what is up in its picture is not told.`,
    );
  // Rows: right, down and forward.
  const right = [-z / level, 0, x / level];
  const down = [(x * y) / level, -level, (z * y) / level];
  const rotation = positiveQuaternionOfMatrix([right, down, [x, y, z]]);
  const [a, b, c] = rotate(rotation, eye);
  return { rotation, translation: [-a, -b, -c] };
}
