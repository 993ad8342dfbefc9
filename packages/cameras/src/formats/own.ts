import { describeValue, GradsimError } from '@gradsim/base';
import type { CalibrationRecord, Camera } from '../camera.ts';

const ENTRY_NAMES = [
  ...['format', 'width', 'height', 'focalLength', 'principalPoint', 'distortion'],
  ...['pose', 'metresPerPixel', 'calibration'],
];

/** Value of the entry `format`, the first one, in gradsim's own camera files. */
export const FORMAT = 'gradsim camera 1';

/**
 * Reads a camera from gradsim's own JSON.
 * @throws if the format is another, or an entry is unknown or invalid.
 */
export function readGradsimCamera(object: Record<string, unknown>, label: string): Camera {
  const { format, ...camera } = object;
  if (format !== FORMAT)
    throw new GradsimError(
      'cameras/not-a-camera',
      `${label} is JSON, but no camera: it has neither "format": "${FORMAT}", nor the frames of a transforms.json, nor a camera_matrix.`,
    );
  const unknown = Object.keys(object).find((key) => !ENTRY_NAMES.includes(key));
  if (unknown)
    throw new GradsimError(
      'cameras/unknown-entry',
      `${label} has "${unknown}", which no camera has; there are ${ENTRY_NAMES.join(', ')}.`,
    );
  const own = camera as Partial<Camera>;
  const { metresPerPixel, calibration } = own;
  if (
    metresPerPixel !== undefined &&
    !(typeof metresPerPixel === 'number' && metresPerPixel > 0 && Number.isFinite(metresPerPixel))
  )
    throw new GradsimError('cameras/file-invalid', `${label}: metresPerPixel is ${describeValue(metresPerPixel)}.`, {
      hint: 'It must be a number above 0.',
    });
  if (calibration !== undefined) checkRecord(calibration, label);
  return { distortion: [0, 0, 0, 0, 0], ...own } as Camera;
}

/**
 * Checks the record of a calibration. @throws if `rms`, `views` or a standard error is not a finite number of at least
 * 0.
 */
function checkRecord(record: CalibrationRecord, label: string): void {
  const isMapping = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isMapping(record) || !isMapping(record.standardErrors))
    throw new GradsimError('cameras/file-invalid', `${label}: calibration is ${describeValue(record)}.`, {
      hint: 'It must have rms, views and standardErrors by name.',
    });
  const { rms, views, standardErrors } = record;
  for (const [name, value] of Object.entries({ rms, views, ...standardErrors }))
    if (!(typeof value === 'number' && value >= 0 && Number.isFinite(value)))
      throw new GradsimError('cameras/file-invalid', `${label}: ${name} of calibration is ${describeValue(value)}.`, {
        hint: 'It must be a number of at least 0.',
      });
}
