import { GradsimError } from '@gradsim/base';
import type { Camera } from '../camera.ts';
import type { Entries } from './matrices.ts';
import { readMatrices } from './matrices.ts';
import type { ReadCameraOptions } from './options.ts';

/** True for a chain of cameras as Kalibr writes it: `cam0`, `cam1` and so on. */
export const isKalibr = (entries: Entries): boolean => 'cam0' in entries;

/**
 * Reads the camera of a chain of Kalibr: a pinhole with the distortion `radtan`, which is Brown's k1, k2, p1, p2.
 * @throws for several cameras, and for other models.
 */
export function readKalibr(entries: Entries, label: string, options: ReadCameraOptions): Camera {
  const names = Object.keys(entries).filter((name) => /^cam\d+$/.test(name));
  if (names.length > 1)
    throw new GradsimError('cameras/file-invalid', `${label} has ${names.length} cameras, ${names.join(', ')}.`, {
      hint: 'Leave one of them in the file.',
    });
  const own = entries[names[0]];
  const {
    camera_model: model,
    distortion_model: distortion,
    distortion_coeffs: coefficients,
    intrinsics,
    resolution,
  } = (typeof own === 'object' && own !== null ? own : {}) as Record<string, unknown>;
  if (model !== 'pinhole' || (distortion !== 'radtan' && distortion !== 'none'))
    throw new GradsimError(
      'cameras/model-not-supported',
      `${label} is of the model ${String(model)} with the distortion ${String(distortion)}.`,
      {
        hint: 'Calibrate with pinhole-radtan.',
      },
    );
  if (!Array.isArray(intrinsics) || intrinsics.length !== 4)
    throw new GradsimError('cameras/entry-missing', `${label}: ${names[0]} has no intrinsics of four numbers.`);
  const [fx, fy, cx, cy] = intrinsics;
  return readMatrices(
    {
      camera_matrix: [fx, 0, cx, 0, fy, cy, 0, 0, 1],
      distortion_coefficients: distortion === 'none' ? [] : coefficients,
      image_size: resolution,
    },
    label,
    options,
  );
}
