import { GradsimError } from '@gradsim/base';
import type { Camera, CameraPose, Distortion, Point3 } from '../camera.ts';
import { brownDistortion } from './matrices.ts';
import { finiteNumber, numberOf } from './number.ts';
import type { ReadCameraOptions } from './options.ts';
import { rotationOfQuaternion } from './rotation.ts';

type Numbers = readonly number[];

/** Camera models by COLMAP's names: number of parameters, and how they map to fx, fy, cx, cy and distortion terms. */
const CAMERA_MODELS: Readonly<
  Record<
    string,
    {
      count: number;
      lens: (p: Numbers) => [fx: number, fy: number, cx: number, cy: number];
      terms: (p: Numbers) => Numbers;
    }
  >
> = {
  SIMPLE_PINHOLE: { count: 3, lens: ([f, x, y]) => [f, f, x, y], terms: () => [] },
  PINHOLE: { count: 4, lens: ([a, b, x, y]) => [a, b, x, y], terms: () => [] },
  SIMPLE_RADIAL: { count: 4, lens: ([f, x, y]) => [f, f, x, y], terms: ([, , , k]) => [k] },
  RADIAL: { count: 5, lens: ([f, x, y]) => [f, f, x, y], terms: (p) => p.slice(3) },
  OPENCV: { count: 8, lens: ([a, b, x, y]) => [a, b, x, y], terms: (p) => p.slice(4) },
  FULL_OPENCV: { count: 12, lens: ([a, b, x, y]) => [a, b, x, y], terms: (p) => p.slice(4) },
};

/**
 * Reads a camera from COLMAP's `cameras.txt`, with the pose of a picture if `images`, the text of `images.txt`, is
 * given. COLMAP's coordinates have the centre of the first pixel at (0.5, 0.5), those of gradsim at (0, 0).
 * @throws for an unsupported camera model, and if the options do not determine which camera or picture is meant.
 */
export function readColmap(text: string, label: string, { images, picture }: ReadCameraOptions): Camera {
  const lines = splitFields(text);
  const taken = images === undefined ? undefined : pictureOf(images, label, picture);
  const line = taken ? lines.find(([id]) => id === taken.camera) : lines[0];
  if (!line)
    throw new GradsimError(
      'cameras/picture-not-named',
      `${label} has no camera ${taken?.camera}, with which ${taken?.name} was taken.`,
    );
  if (!taken && lines.length > 1)
    throw new GradsimError('cameras/picture-not-named', `${label} has ${lines.length} cameras.`, {
      hint: "Give COLMAP's images.txt as `images` and the name of a picture as `picture`.",
    });
  const [, name, width, height, ...rest] = line;
  const model = Object.hasOwn(CAMERA_MODELS, name) ? CAMERA_MODELS[name] : undefined;
  if (!model)
    throw new GradsimError(
      'cameras/model-not-supported',
      `${label} has the camera model ${name}; known here are ${Object.keys(CAMERA_MODELS).join(', ')}.`,
    );
  const parameters = rest.map(numberOf);
  if (parameters.length !== model.count || !parameters.every(Number.isFinite))
    throw new GradsimError(
      'cameras/file-invalid',
      `${label}: the model ${name} has ${model.count} parameters, not ${rest.join(' ')}.`,
    );
  const [fx, fy, cx, cy] = model.lens(parameters);
  return {
    width: finiteNumber(width, 'WIDTH', label),
    height: finiteNumber(height, 'HEIGHT', label),
    focalLength: [fx, fy],
    principalPoint: [cx - 0.5, cy - 0.5],
    distortion: brownDistortion(model.terms(parameters), label) satisfies Distortion,
    ...(taken ? { pose: taken.pose } : {}),
  };
}

const splitFields = (text: string): string[][] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('#'))
    .map((line) => line.trim().split(/\s+/));

/** Names of the seven columns of a picture's pose, which follow its id. */
const POSE_COLUMNS = ['QW', 'QX', 'QY', 'QZ', 'TX', 'TY', 'TZ'];

/**
 * Finds the one picture of `images.txt` whose name contains `wanted`: its camera and pose. Each picture has two lines;
 * the second, with its points, is skipped.
 */
function pictureOf(
  text: string,
  label: string,
  wanted: string | undefined,
): { name: string; camera: string; pose: CameraPose } {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => !line.trim().startsWith('#'));
  const all = lines
    .filter((_, k) => k % 2 === 0)
    .map((line) => line.trim().split(/\s+/))
    .filter((cells) => cells.length >= 10);
  const found = wanted === undefined ? all : all.filter((cells) => cells.slice(9).join(' ').includes(wanted));
  if (found.length !== 1)
    throw new GradsimError(
      'cameras/picture-not-named',
      `${label}: images.txt has ${found.length} pictures${wanted === undefined ? '' : ` with "${wanted}" in their name`}.`,
      { hint: 'Name one as `picture`.' },
    );
  const [, , , , , , , , camera, ...words] = found[0];
  const name = words.join(' ');
  const [w, x, y, z, ...translation] = POSE_COLUMNS.map((column, k) =>
    finiteNumber(found[0][k + 1], `${column} of ${name}`, label),
  );
  const rotation = rotationOfQuaternion([x, y, z, w], `the pose of ${name}`, label);
  return { name, camera, pose: { rotation, translation: translation as unknown as Point3 } };
}
