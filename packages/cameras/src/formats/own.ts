import type { Camera } from '../camera.ts';

const KNOWN = [
  ...['format', 'width', 'height', 'focalLength', 'principalPoint', 'distortion'],
  ...['pose', 'metresPerPixel', 'calibration'],
];

/** What the first entry of our own files is. */
export const FORMAT = 'gradsim camera 1';

/** @throws where it is none, or has what there is not. */
export function readOwn(object: Record<string, unknown>, what: string): Camera {
  const { format, ...camera } = object;
  if (format !== FORMAT)
    throw new Error(
      `${what} is JSON, but no camera: it has neither "format": "${FORMAT}", nor the frames of a transforms.json, nor a camera_matrix.`,
    );
  const unknown = Object.keys(object).find((key) => !KNOWN.includes(key));
  if (unknown)
    throw new Error(`${what} has "${unknown}", which no camera has; there are ${KNOWN.join(', ')}.`);
  const own = camera as Partial<Camera>;
  if (typeof own.metresPerPixel !== 'undefined' && !(Number(own.metresPerPixel) > 0))
    throw new Error(`${what}: metresPerPixel is ${own.metresPerPixel}; it must be above 0.`);
  return { distortion: [0, 0, 0, 0, 0], ...own } as Camera;
}
