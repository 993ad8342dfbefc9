import { platform } from '#platform';
import { addressOf, openMaterial } from './material.ts';

/**
 * The files that the address of a film stands for: itself, or the images of a folder or of a pattern such as
 * `frames/%04d.png`, in their order. Says nothing of what is in them.
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
  await openMaterial(address);
  return [addressOf(address).address];
}
