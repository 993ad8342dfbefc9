import { readCameraFile } from '../../calibrate/read-camera-file.ts';
import { formatNumber } from '../../terminal/numbers.ts';
import type { FileDescription, LookedFile } from './format.ts';

/** A camera file: its pictures, lens and place. */
export async function describeCamera({ path }: LookedFile): Promise<FileDescription> {
  const { width, height, focalLength, principalPoint, distortion, pose } = await readCameraFile(path);
  const list = (of: readonly number[]): string => of.map((x) => formatNumber(x, 5)).join(', ');
  return {
    format: 'camera',
    lines: [
      `A camera: pictures of ${width} x ${height} pixels, focal length ${list(focalLength)} px, centre ${list(principalPoint)} px`,
      `Distortion k1, k2, p1, p2, k3: ${list(distortion)}`,
      pose
        ? 'It says where the camera is.'
        : 'It does not say where the camera is: gradsim calibrate --camera finds that, by a board or points.',
    ],
    next: [
      `npx gradsim new ball --video FILM --set radius=METRES --set camera=${path}`,
      ...(pose ? [] : [`npx gradsim calibrate --camera ${path} --points POINTS.csv`]),
    ],
  };
}
