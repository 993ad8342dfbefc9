import { describeValue, GradsimError } from '@gradsim/base';
import type { Camera, CameraPose, Distortion } from '../camera.ts';
import { quaternionOfVector } from '../rotation.ts';
import { finiteNumber } from './number.ts';
import type { ReadCameraOptions } from './options.ts';
import { rotationOfMatrix } from './rotation.ts';

/** Entries of an OpenCV or ROS file, by name. */
export type Entries = Readonly<Record<string, unknown>>;

/** Alternative names of an entry; the first one present is used. */
const NAMES = {
  matrix: ['camera_matrix', 'cameraMatrix', 'Camera_Matrix', 'K', 'k', 'intrinsic_matrix', 'mtx'],
  distortion: [
    ...[
      'distortion_coefficients',
      'Distortion_Coefficients',
      'distCoeffs',
      'dist_coeffs',
      'dist_coeff',
      'D',
      'd',
      'dist',
    ],
  ],
  width: ['image_width', 'image_Width', 'width'],
  height: ['image_height', 'image_Height', 'height'],
  model: ['distortion_model'],
  vector: ['rvec'],
  rotation: ['R', 'r', 'rotation_matrix', 'rotation'],
  translation: ['tvec', 'T', 't', 'translation'],
} as const;

/**
 * Reads a camera from the entries of OpenCV's FileStorage or ROS's `camera_info`: both have a camera matrix and
 * distortion coefficients by name.
 * @throws if the camera matrix is missing or has skew, or for coefficients of another distortion model.
 */
export function readMatrices(entries: Entries, label: string, options: ReadCameraOptions): Camera {
  const of = (key: keyof typeof NAMES): [string, unknown] | undefined => {
    const name = NAMES[key].find((n) => Object.hasOwn(entries, n));
    return name === undefined ? undefined : [name, entries[name]];
  };
  const matrix = of('matrix');
  if (!matrix)
    throw new GradsimError(
      'cameras/entry-missing',
      `${label} has no camera_matrix; it has ${Object.keys(entries).slice(0, 12).join(', ') || 'nothing'}.`,
    );
  const numbers = numbersOf(matrix, label, 9);
  const [fx, skew, cx, below, fy, cy, ...last] = numbers;
  if (Math.abs(skew) > 1e-6 * fx)
    throw new GradsimError(
      'cameras/model-not-supported',
      `${label}: ${matrix[0]} has the skew ${skew}; a camera here has none.`,
    );
  if (below !== 0 || last.some((value, k) => value !== [0, 0, 1][k]))
    throw new GradsimError('cameras/file-invalid', `${label}: ${matrix[0]} is (${numbers.join(', ')}).`, {
      hint: 'It must be fx, 0, cx, 0, fy, cy, 0, 0, 1, row by row.',
    });
  const size = sizeOf(entries, of('width'), of('height'), label);
  const [width, height] = [options.width ?? size[0], options.height ?? size[1]];
  if (width === undefined || height === undefined)
    throw new GradsimError(
      'cameras/size-missing',
      `${label} does not say how large the pictures are (image_width, image_height).`,
      { hint: 'Give width and height.' },
    );
  const distortion = of('distortion');
  const model = of('model')?.[1];
  if (model !== undefined && !['plumb_bob', 'rational_polynomial', ''].includes(String(model)))
    throw new GradsimError('cameras/model-not-supported', `${label} has the distortion model ${String(model)}.`, {
      hint: "Only plumb_bob, Brown's, is known here.",
    });
  refusePartOfSensor(entries, label);
  const pose = poseOf(of, label, /^r$/i.test(of('rotation')?.[0] ?? '') && model !== undefined);
  return {
    width,
    height,
    focalLength: [fx, fy],
    principalPoint: [cx, cy],
    distortion: brownDistortion(distortion ? numbersOf(distortion, label) : [], label),
    ...(pose ? { pose } : {}),
  };
}

/** @throws for pictures of a part of the sensor, or of several of its pixels in one, for which the matrix does not hold. */
function refusePartOfSensor({ binning_x: bins = 0, roi }: Entries, label: string): void {
  const { width = 0, height = 0 } = (typeof roi === 'object' && roi !== null ? roi : {}) as Record<string, unknown>;
  if (Number(bins) <= 1 && Number(width) === 0 && Number(height) === 0) return;
  throw new GradsimError(
    'cameras/model-not-supported',
    `${label} is of a camera that sends ${Number(bins) > 1 ? `one pixel of ${String(bins)} (binning_x)` : 'a part of its picture (roi)'}: its matrix is that of the whole picture.`,
    { hint: 'Calibrate with the pictures that are used.' },
  );
}

function sizeOf(
  entries: Entries,
  width: readonly [string, unknown] | undefined,
  height: readonly [string, unknown] | undefined,
  label: string,
): (number | undefined)[] {
  // OpenCV's interactive calibration writes both as a list.
  const both = ['cameraResolution', 'image_size'].find((name) => name in entries);
  if (both !== undefined) return numbersOf([both, entries[both]], label, 2);
  return [width, height].map((entry) => entry && finiteNumber(entry[1], entry[0], label));
}

/**
 * Reads the pose, if the file has one. `R` of ROS's `camera_info` is a rectification (`isRectification`), not a pose.
 */
function poseOf(
  of: (key: keyof typeof NAMES) => [string, unknown] | undefined,
  label: string,
  isRectification: boolean,
): CameraPose | undefined {
  const translation = of('translation');
  const [vector, matrix] = [of('vector'), isRectification ? undefined : of('rotation')];
  if (vector && !translation)
    throw new GradsimError('cameras/half-pose', `${label} has ${vector[0]} and no tvec: it says half a pose.`);
  if (translation?.[0] === 'tvec' && !vector && !matrix)
    throw new GradsimError('cameras/half-pose', `${label} has tvec and no rvec: it says half a pose.`);
  const rotation = vector ?? matrix;
  if (!translation || !rotation) return undefined;
  const [x, y, z] = numbersOf(translation, label, 3);
  const turned = numbersOf(rotation, label);
  if (turned.length !== 3 && turned.length !== 9)
    throw new GradsimError(
      'cameras/file-invalid',
      `${label}: ${rotation[0]} has ${turned.length} numbers; a rotation has 3, or 9 as a matrix.`,
    );
  return {
    rotation:
      turned.length === 3
        ? quaternionOfVector(turned)
        : rotationOfMatrix([turned.slice(0, 3), turned.slice(3, 6), turned.slice(6, 9)], rotation[0], label),
    translation: [x, y, z],
  };
}

/**
 * Parses an entry that is a list, a list of rows, or a mapping with its numbers in `data`. @throws naming an invalid
 * number.
 */
function numbersOf([name, entry]: readonly [string, unknown], label: string, count?: number): number[] {
  const data = typeof entry === 'object' && entry !== null && 'data' in entry ? entry.data : entry;
  if (!Array.isArray(data))
    throw new GradsimError('cameras/file-invalid', `${label}: ${name} is ${describeValue(data)}.`, {
      hint: `It must be a list of ${count === undefined ? '' : `${count} `}numbers.`,
    });
  const flat = data.flat(2).map((value, k) => finiteNumber(value, `number ${k + 1} of ${name}`, label));
  if (count !== undefined && flat.length !== count)
    throw new GradsimError('cameras/file-invalid', `${label}: ${name} has ${flat.length} numbers.`, {
      hint: `It must have ${count}.`,
    });
  return flat;
}

/** Converts distortion coefficients to k1, k2, p1, p2, k3; missing ones are 0. @throws if a further one is not 0. */
export function brownDistortion(coefficients: readonly number[], label: string): Distortion {
  const beyond = coefficients.findIndex((value, k) => k >= 5 && value !== 0);
  if (beyond >= 0)
    throw new GradsimError(
      'cameras/model-not-supported',
      `${label}: distortion coefficient ${beyond + 1} is ${coefficients[beyond]}.`,
      {
        hint: 'Only k1, k2, p1, p2, k3 can be other than 0 here: calibrate again without the rational, thin prism or tilted model.',
      },
    );
  const [k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0] = coefficients;
  return [k1, k2, p1, p2, k3];
}
