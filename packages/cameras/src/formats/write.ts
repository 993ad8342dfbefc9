import { GradsimError, type Matrix3, type Quaternion, rotate, transpose } from '@gradsim/base';
import type { Camera } from '../camera.ts';
import { checkCamera } from '../camera.ts';
import { poseWithYUp } from '../floor.ts';
import { FORMAT } from './own.ts';
import { stringify } from './yaml-library.ts';

/** File formats of {@link formatCamera}. */
export type CameraFormat = 'gradsim' | 'opencv' | 'ros' | 'colmap' | 'transforms';

/** Returns the rows of the rotation matrix of a quaternion. */
const rowsOf = (rotation: Quaternion): Matrix3 => {
  const columns = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ].map((axis) => rotate(rotation, axis));
  return transpose(columns);
};

/**
 * Formats a camera as the text of a file: gradsim's JSON, OpenCV's YAML (with `R` and `T` if it has a pose), ROS's
 * `camera_info`, COLMAP's `cameras.txt`, or `transforms.json`, which has one frame and a world with z upwards.
 *
 * ```ts
 * await writeFile('camera.yml', formatCamera(camera, 'opencv'));
 * ```
 * @throws for an impossible camera, and for `transforms` without a pose.
 */
export function formatCamera(camera: Camera, format: CameraFormat = 'gradsim'): string {
  checkCamera(camera, 'formatCamera');
  const { width, height, focalLength, principalPoint, distortion, pose, metresPerPixel, calibration } = camera;
  const [fx, fy] = focalLength;
  const [cx, cy] = principalPoint;
  const matrix = [fx, 0, cx, 0, fy, cy, 0, 0, 1];
  switch (format) {
    case 'gradsim': {
      const own = {
        format: FORMAT,
        width,
        height,
        focalLength,
        principalPoint,
        distortion,
        ...(pose && { pose }),
        ...(metresPerPixel !== undefined && { metresPerPixel }),
        ...(calibration && { calibration }),
      };
      return `${JSON.stringify(own, null, 2).replaceAll(/\[\s+([^[\]{}]*?)\s+\]/g, (_, inner: string) => `[${inner.replaceAll(/\s+/g, ' ')}]`)}\n`;
    }
    case 'opencv': {
      const block = (name: string, rows: number, cols: number, data: readonly number[]): string =>
        `${name}: !!opencv-matrix\n   rows: ${rows}\n   cols: ${cols}\n   dt: d\n   data: [ ${data.map(formatReal).join(', ')} ]\n`;
      return [
        '%YAML:1.0\n---\n',
        `image_width: ${width}\nimage_height: ${height}\n`,
        block('camera_matrix', 3, 3, matrix),
        block('distortion_coefficients', 5, 1, distortion),
        ...(pose ? [block('R', 3, 3, rowsOf(pose.rotation).flat()), block('T', 3, 1, pose.translation)] : []),
      ].join('');
    }
    case 'ros':
      return stringify(
        {
          image_width: width,
          image_height: height,
          camera_name: 'camera',
          camera_matrix: { rows: 3, cols: 3, data: matrix },
          distortion_model: 'plumb_bob',
          distortion_coefficients: { rows: 1, cols: 5, data: distortion },
          rectification_matrix: { rows: 3, cols: 3, data: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
          projection_matrix: { rows: 3, cols: 4, data: [fx, 0, cx, 0, 0, fy, cy, 0, 0, 0, 1, 0] },
        },
        { collectionStyle: 'any', flowCollectionPadding: true },
      );
    case 'colmap':
      // FULL_OPENCV has k1 k2 p1 p2 k3 and three coefficients that are 0.
      return `# CAMERA_ID, MODEL, WIDTH, HEIGHT, PARAMS[]\n1 FULL_OPENCV ${width} ${height} ${[fx, fy, cx + 0.5, cy + 0.5, ...distortion, 0, 0, 0].join(' ')}\n`;
    case 'transforms': {
      if (!pose)
        throw new GradsimError(
          'cameras/no-pose',
          'formatCamera: transforms.json holds a pose, and the camera has none.',
        );
      // The inverse of the conversion from z upwards to ours.
      const { rotation, translation } = poseWithYUp(pose, '-z');
      const rows = rowsOf(rotation);
      const place = [0, 1, 2].map((k) => -rows.reduce((sum, row, j) => sum + row[k] * translation[j], 0));
      const columns = [rows[0], rows[1].map((v) => -v), rows[2].map((v) => -v), place];
      const [k1, k2, p1, p2, k3] = distortion;
      return `${JSON.stringify(
        {
          camera_model: 'OPENCV',
          w: width,
          h: height,
          fl_x: fx,
          fl_y: fy,
          cx: cx + 0.5,
          cy: cy + 0.5,
          k1,
          k2,
          p1,
          p2,
          k3,
          frames: [
            {
              file_path: 'picture.png',
              transform_matrix: [...[0, 1, 2].map((k) => columns.map((c) => c[k])), [0, 0, 0, 1]],
            },
          ],
        },
        null,
        2,
      )}\n`;
    }
    default:
      throw new GradsimError('cameras/unknown-choice', `formatCamera: format is "${String(format)}".`, {
        field: 'format',
        hint: 'It must be gradsim, opencv, ros, colmap or transforms.',
      });
  }
}

/** Formats a real number for OpenCV, which distinguishes reals from integers by a decimal point. */
const formatReal = (value: number): string => (Number.isInteger(value) ? `${value}.` : String(value));
