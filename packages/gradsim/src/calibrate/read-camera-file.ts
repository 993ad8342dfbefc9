import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Camera, ReadCameraOptions } from '@gradsim/cameras';
import { textOfFile } from '../files/file-content.ts';

/**
 * Reads a camera file of gradsim or of another tool; for COLMAP's `cameras.txt`, `images.txt` is read from the same
 * folder.
 * @throws if the file does not exist, or holds no camera.
 */
export async function readCameraFile(file: string, options: ReadCameraOptions = {}): Promise<Camera> {
  const text = textOfFile(file, 'camera file');
  const beside = join(dirname(file), 'images.txt');
  const images =
    basename(file) === 'cameras.txt' && options.picture !== undefined && existsSync(beside)
      ? { images: textOfFile(beside, 'file') }
      : {};
  const { readCamera } = await import('@gradsim/cameras');
  return readCamera(text, { name: file, ...images, ...options });
}
