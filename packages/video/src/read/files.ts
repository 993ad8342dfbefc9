import { platform } from '#platform';
import { openMaterial } from '../source/material.ts';

/**
 * Returns the paths of the files of a film: its own path, or those of the images of a folder or of a pattern such as
 * `frames/%04d.png`, in the order of their numbers. Their contents are not read.
 *
 * @example
 * const files = await filmFiles('frames/%04d.png');
 *
 * @throws GradsimError when there is no such file, or it is empty; images of a sequence are missing.
 */
export async function filmFiles(address: string): Promise<string[]> {
  const images = await platform.listImages(address);
  if (images) {
    // Reading a pipe or a device might never end.
    for (const image of images) await platform.read(image, 1);
    return images;
  }
  const material = await openMaterial(address);
  return [material.address!];
}
