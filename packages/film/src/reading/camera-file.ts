import type { Camera } from '@gradsim/cameras';
import { cameraFor, fittedTo, readCamera } from '@gradsim/cameras';
import { GradsimError } from '@gradsim/core';
import type { Region, Size } from '@gradsim/video';

/**
 * The camera for a film's pictures: fitted to the whole upright ones, then cropped and scaled like them.
 * @throws for a file that does not exist or holds no camera, and for one of pictures of another shape.
 */
export async function cameraOf(
  camera: string | Camera | undefined,
  upright: Size,
  cut: { readonly region?: Region; readonly size?: Size },
): Promise<Camera | undefined> {
  if (camera === undefined) return undefined;
  const read = typeof camera === 'string' ? readCamera(await textOf(camera), { name: camera }) : camera;
  return cameraFor(fittedTo(read, upright), cut);
}

/** Text of a file in Node, of a URL elsewhere. */
async function textOf(path: string): Promise<string> {
  if (typeof process === 'undefined' || !process.versions?.node) {
    const answer = await fetch(path);
    if (!answer.ok)
      throw new GradsimError('film/file-unreadable', `The camera file ${path} cannot be read: ${answer.status}.`);
    return answer.text();
  }
  // Bundlers for pages must not look for it.
  const files: string = 'node:fs/promises';
  const { readFile, stat } = (await import(/* @vite-ignore */ files)) as typeof import('node:fs/promises');
  // A pipe or a device would be read without end.
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  try {
    if (isFile) return await readFile(path, 'utf8');
  } catch {
    // Same message as for a missing file.
  }
  throw new GradsimError('film/file-unreadable', `The camera file ${path} is not there, or cannot be read.`);
}
