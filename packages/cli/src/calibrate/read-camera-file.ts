import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Camera, type ReadCameraOptions, readCamera } from '@gradsim/cameras';

/**
 * Reads a camera file of gradsim or of other tools; COLMAP's `images.txt` is taken from beside its `cameras.txt`.
 * @throws where it is not there, or no camera.
 */
export async function readCameraFile(file: string, options: ReadCameraOptions = {}): Promise<Camera> {
  if (!existsSync(file)) throw new Error(`The camera file ${file} is not there.`);
  const beside = join(dirname(file), 'images.txt');
  const images =
    basename(file) === 'cameras.txt' && options.picture !== undefined && existsSync(beside)
      ? { images: readFileSync(beside, 'utf8') }
      : {};
  return readCamera(readFileSync(file, 'utf8'), { name: file, ...images, ...options });
}
