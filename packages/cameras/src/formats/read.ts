import { GradsimError, refuseUnknownOptions, refuseWrongType } from '@gradsim/base';
import { type Camera, checkCamera } from '../camera.ts';
import { poseWithYUp, type Up } from '../floor.ts';
import { readColmap } from './colmap.ts';
import { isKalibr, readKalibr } from './kalibr.ts';
import { type Entries, readMatrices } from './matrices.ts';
import type { ReadCameraOptions } from './options.ts';
import { readGradsimCamera } from './own.ts';
import { readTransforms } from './transforms.ts';
import { xmlMatrices } from './xml.ts';
import { yamlMatrices } from './yaml.ts';

const OPTIONS = { name: true, width: true, height: true, picture: true, images: true, up: true };

/**
 * Reads a camera from the text of a file: gradsim's own JSON; OpenCV's FileStorage, YAML or XML, with `camera_matrix`
 * and `distortion_coefficients` (and `rvec` and `tvec`, or `R` and `T`); ROS's `camera_info`, as a file and as `topic echo` prints it; Kalibr's chain of one camera; COLMAP's `cameras.txt`;
 * `transforms.json` of Blender and NeRF tools. Axes and pixel coordinates are converted to gradsim's.
 *
 * ```ts
 * const camera = readCamera(await readFile('camera.json', 'utf8'), { name: 'camera.json' });
 * scene.add(PinholeCamera, pinholeOf(camera));
 * ```
 * @throws for a file of none of these kinds, and for a missing or invalid entry, naming it and its value; for lenses
 * other than Brown's model (fisheyes, rational ones), skewed pixels, and invalid rotations. Strings that hold numbers
 * are accepted as numbers; null, true and "" are not. YAML may have up to 500,000 characters.
 */
export function readCamera(text: string, options: ReadCameraOptions = {}): Camera {
  const { name: what = 'The camera file', up } = options;
  refuseUnknownOptions<ReadCameraOptions>('readCamera', options, OPTIONS);
  refuseWrongType('readCamera: the text', text, 'a text', typeof text === 'string');
  for (const key of ['name', 'picture', 'images'] as const)
    refuseWrongType(
      `readCamera: ${key}`,
      options[key],
      'a text',
      options[key] === undefined || typeof options[key] === 'string',
    );
  const read = (): Camera & { readonly ownUp?: Up } => {
    const whole = text.replace(/^\uFEFF/, '');
    const plain = whole.trim();
    if (plain.startsWith('{')) return cameraOfJson(plain, what, options);
    if (plain.startsWith('<')) return readMatrices(xmlMatrices(plain, what), what, options);
    if (/^(?:#[^\n]*\n|\s)*\d+\s+[A-Z_]+\s+\S+\s+\S+\s/.test(plain)) return readColmap(plain, what, options);
    if (/^[^\S\n]*[\w"']+[^\S\n]*:/m.test(plain)) return cameraOfEntries(yamlMatrices(whole, what), what, options);
    throw new GradsimError(
      'cameras/not-a-camera',
      `${what} is no camera file: those are gradsim's JSON, OpenCV's YAML or XML, ROS's camera_info, COLMAP's cameras.txt, and transforms.json.`,
    );
  };
  const { ownUp = 'y', ...camera } = read();
  // Rotation normalises quaternions, so they are checked before.
  checkCamera(camera, what);
  return camera.pose ? { ...camera, pose: poseWithYUp(camera.pose, up ?? ownUp) } : camera;
}

const cameraOfEntries = (entries: Entries, what: string, options: ReadCameraOptions): Camera =>
  (isKalibr(entries) ? readKalibr : readMatrices)(entries, what, options);

function cameraOfJson(text: string, what: string, options: ReadCameraOptions): Camera & { readonly ownUp?: Up } {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new GradsimError(
      'cameras/file-invalid',
      `${what} is no JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const object = data as Record<string, unknown>;
  if ('frames' in object) return readTransforms(object, what, options);
  if ('camera_matrix' in object || 'cameraMatrix' in object) return readMatrices(object, what, options);
  return readGradsimCamera(object, what);
}
