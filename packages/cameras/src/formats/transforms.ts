import { describeValue, GradsimError, rotate, scale } from '@gradsim/base';
import type { Camera } from '../camera.ts';
import type { Up } from '../floor.ts';
import { brownDistortion } from './matrices.ts';
import { finiteNumber, numberOf } from './number.ts';
import type { ReadCameraOptions } from './options.ts';
import { rotationOfMatrix } from './rotation.ts';

/**
 * Reads a camera from `transforms.json`, as Blender's scripts for NeRF, instant-ngp and nerfstudio write it:
 * `camera_angle_x` or `fl_x`, and a matrix from the camera's axes (x right, y up, z backwards) to a world with z
 * upwards. The centre of the first pixel is at (0.5, 0.5) there.
 * @throws if the options do not determine which picture is meant, or the size of the pictures is missing.
 */
export function readTransforms(
  data: Readonly<Record<string, unknown>>,
  label: string,
  options: ReadCameraOptions,
): Camera & { readonly ownUp: Up } {
  const frames = data.frames as Readonly<Record<string, unknown>>[];
  if (!Array.isArray(frames)) throw new GradsimError('cameras/file-invalid', `${label}: frames is no list.`);
  const wrong = frames.findIndex((frame) => typeof frame !== 'object' || frame === null);
  if (wrong >= 0)
    throw new GradsimError(
      'cameras/file-invalid',
      `${label}: frame ${wrong + 1} is ${describeValue(frames[wrong])}, and no mapping.`,
    );
  const { picture } = options;
  const found =
    picture === undefined ? frames : frames.filter(({ file_path }) => String(file_path ?? '').includes(picture));
  if (found.length !== 1)
    throw new GradsimError(
      'cameras/picture-not-named',
      `${label} has ${found.length} frames${picture === undefined ? '' : ` with "${picture}" in file_path`}.`,
      { hint: 'Name one as `picture`.' },
    );
  // Some tools store the lens once for all, some in each frame.
  const of = (name: string): number | undefined => {
    const value = found[0][name] ?? data[name];
    return value === undefined ? undefined : finiteNumber(value, name, label);
  };
  const [width, height] = [options.width ?? of('w'), options.height ?? of('h')];
  if (width === undefined || height === undefined)
    throw new GradsimError('cameras/size-missing', `${label} does not say how large the pictures are (w, h).`, {
      hint: 'Give width and height.',
    });
  const focal = (length: number | undefined, angle: number | undefined, size: number): number | undefined =>
    length ?? (angle === undefined ? undefined : size / 2 / Math.tan(angle / 2));
  const fx = focal(of('fl_x'), of('camera_angle_x'), width);
  const fy = focal(of('fl_y'), of('camera_angle_y'), height) ?? fx;
  if (fx === undefined || fy === undefined)
    throw new GradsimError('cameras/entry-missing', `${label} has neither fl_x nor camera_angle_x.`);
  const model = data.camera_model;
  if (model !== undefined && !['OPENCV', 'PINHOLE', 'SIMPLE_PINHOLE'].includes(String(model)))
    throw new GradsimError(
      'cameras/model-not-supported',
      `${label} has the camera_model ${String(model)}; known here are OPENCV and PINHOLE.`,
    );
  const matrix = found[0].transform_matrix;
  const rows = Array.isArray(matrix) ? matrix.map((row: unknown) => (Array.isArray(row) ? row.map(numberOf) : [])) : [];
  const isWhole = rows.length === 4 && rows.every((row) => row.length === 4 && row.every(Number.isFinite));
  if (!isWhole || rows[3].some((value, k) => value !== [0, 0, 0, 1][k]))
    throw new GradsimError(
      'cameras/file-invalid',
      `${label}: transform_matrix is (${rows.map((row) => row.join(', ')).join('; ')}).`,
      { hint: 'It must be 4 x 4 finite numbers, the last row 0, 0, 0, 1.' },
    );
  // Columns: right, up and backwards in the world. Rows of ours: right, down, forward.
  const column = (k: number, sign: number): number[] => rows.slice(0, 3).map((row) => sign * row[k]);
  const turned = [column(0, 1), column(1, -1), column(2, -1)];
  const rotation = rotationOfMatrix(turned, 'the transform_matrix with right, down and forward as rows', label);
  const terms = [of('k1'), of('k2'), of('p1'), of('p2'), of('k3'), of('k4')].map((k) => k ?? 0);
  return {
    width,
    height,
    ownUp: 'z',
    focalLength: [fx, fy],
    principalPoint: [(of('cx') ?? width / 2) - 0.5, (of('cy') ?? height / 2) - 0.5],
    distortion: brownDistortion(terms, label),
    pose: { rotation, translation: scale(rotate(rotation, column(3, 1)), -1) },
  };
}
