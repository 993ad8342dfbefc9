import { parseDocument } from 'yaml';
import type { Camera, Distortion, Pose } from '../camera.ts';
import { ofMatrix, ofVector } from '../rotation.ts';
import type { ReadCameraOptions } from './read.ts';

/** Entries of a file of OpenCV or ROS, by name. */
export type Entries = Readonly<Record<string, unknown>>;

/** The entries of a YAML file. OpenCV writes `%YAML:1.0`, which is no YAML, and tags its matrices. */
export function yamlMatrices(text: string, what: string): Entries {
  const plain = text.replace(/^%YAML[^\n]*\n/, '').replaceAll(/!!opencv-[\w-]+/g, '');
  const document = parseDocument(plain, { version: '1.2' });
  if (document.errors.length > 0)
    throw new Error(`${what} is no YAML: ${document.errors[0].message.split('\n')[0]}`);
  const data: unknown = document.toJS();
  if (typeof data !== 'object' || data === null) throw new Error(`${what} has no entries.`);
  return data as Entries;
}

/** First of the names that an entry goes by. */
const NAMES = {
  matrix: ['camera_matrix', 'cameraMatrix', 'Camera_Matrix', 'K', 'intrinsic_matrix', 'mtx'],
  distortion: [
    ...[
      'distortion_coefficients',
      'Distortion_Coefficients',
      'distCoeffs',
      'dist_coeffs',
      'dist_coeff',
      'D',
      'dist',
    ],
  ],
  width: ['image_width', 'image_Width', 'width'],
  height: ['image_height', 'image_Height', 'height'],
  model: ['distortion_model'],
  vector: ['rvec'],
  rotation: ['R', 'rotation_matrix', 'rotation'],
  translation: ['tvec', 'T', 't', 'translation'],
} as const;

/**
 * A camera of OpenCV's FileStorage or ROS's `camera_info`: both have a matrix and coefficients by name.
 * @throws where the matrix is missing, or has skew, or there are coefficients of another model.
 */
export function readMatrices(entries: Entries, what: string, options: ReadCameraOptions): Camera {
  const of = (key: keyof typeof NAMES): [string, unknown] | undefined => {
    const name = NAMES[key].find((n) => n in entries);
    return name === undefined ? undefined : [name, entries[name]];
  };
  const matrix = of('matrix');
  if (!matrix)
    throw new Error(
      `${what} has no camera_matrix; it has ${Object.keys(entries).slice(0, 12).join(', ') || 'nothing'}.`,
    );
  const [fx, skew, cx, , fy, cy] = numbersOf(matrix, what, 9);
  if (Math.abs(skew) > 1e-6 * fx)
    throw new Error(`${what}: ${matrix[0]} has the skew ${skew}; a camera here has none.`);
  const size = sizeOf(entries, of('width')?.[1], of('height')?.[1]);
  const [width, height] = [options.width ?? size[0], options.height ?? size[1]];
  if (width === undefined || height === undefined)
    throw new Error(
      `${what} does not say how large the pictures are (image_width, image_height): give width and height.`,
    );
  const distortion = of('distortion');
  const model = of('model')?.[1];
  if (model !== undefined && !['plumb_bob', 'rational_polynomial', ''].includes(String(model)))
    throw new Error(
      `${what} has the distortion model ${String(model)}; only plumb_bob, Brown's, is known here.`,
    );
  const pose = poseOf(of, what, of('rotation')?.[0] === 'R' && model !== undefined);
  return {
    ...{ width, height, focalLength: [fx, fy], principalPoint: [cx, cy] },
    distortion: brown(distortion ? numbersOf(distortion, what) : [], what),
    ...(pose ? { pose } : {}),
  };
}

function sizeOf(entries: Entries, width: unknown, height: unknown): (number | undefined)[] {
  // OpenCV's interactive calibration writes both as a list.
  const both = entries.cameraResolution ?? entries.image_size;
  if (Array.isArray(both) && both.length === 2) return both.map(Number);
  return [width, height].map((value) => (value === undefined ? undefined : Number(value)));
}

/** The rectification `R` that `camera_info` has is no pose. */
function poseOf(
  of: (key: keyof typeof NAMES) => [string, unknown] | undefined,
  what: string,
  isRectification: boolean,
): Pose | undefined {
  const translation = of('translation');
  const [vector, matrix] = [of('vector'), isRectification ? undefined : of('rotation')];
  const rotation = vector ?? matrix;
  if (!translation || !rotation) return undefined;
  const [x, y, z] = numbersOf(translation, what, 3);
  const turned = numbersOf(rotation, what);
  if (turned.length !== 3 && turned.length !== 9)
    throw new Error(
      `${what}: ${rotation[0]} has ${turned.length} numbers; a rotation has 3, or 9 as a matrix.`,
    );
  return {
    rotation:
      turned.length === 3
        ? ofVector(turned)
        : ofMatrix([turned.slice(0, 3), turned.slice(3, 6), turned.slice(6, 9)]),
    translation: [x, y, z],
  };
}

/** A matrix as a list, a list of rows, or with its numbers in `data`. */
function numbersOf([name, entry]: readonly [string, unknown], what: string, count?: number): number[] {
  const data = typeof entry === 'object' && entry !== null && 'data' in entry ? entry.data : entry;
  const flat = Array.isArray(data) ? data.flat(2).map(Number) : [];
  if (
    flat.some((v) => !Number.isFinite(v)) ||
    !Array.isArray(data) ||
    (count !== undefined && flat.length !== count)
  )
    throw new Error(
      `${what}: ${name} has ${Array.isArray(data) ? `the numbers ${flat.join(', ')}` : `no numbers but ${JSON.stringify(entry)}`}; it must have ${count ?? 'finite ones'}${count === undefined ? '' : ' finite ones'}.`,
    );
  return flat;
}

/** k1, k2, p1, p2, k3 of so many coefficients. @throws where there are others. */
export function brown(coefficients: readonly number[], what: string): Distortion {
  const beyond = coefficients.findIndex((value, k) => k >= 5 && value !== 0);
  if (beyond >= 0)
    throw new Error(
      `${what}: distortion coefficient ${beyond + 1} is ${coefficients[beyond]}; only k1, k2, p1, p2, k3 can be other than 0 here: calibrate again without the rational, thin prism or tilted model.`,
    );
  const [k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0] = coefficients;
  return [k1, k2, p1, p2, k3];
}
