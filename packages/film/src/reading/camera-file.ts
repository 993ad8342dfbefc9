import type { Camera } from '@gradsim/cameras/internal';
import { cameraFor, fittedTo } from '@gradsim/cameras/internal';
import { GradsimError } from '@gradsim/core';
import type { Region, Size } from '@gradsim/video';

/**
 * Camera of a film's pictures: scaled to the size of the whole upright pictures, then cropped and scaled like the film.
 * @throws for a file that does not exist or holds no camera, and for one whose pictures have another aspect ratio.
 */
export async function cameraOf(
  camera: string | Camera | undefined,
  upright: Size,
  cut: { readonly region?: Region; readonly size?: Size },
): Promise<Camera | undefined> {
  if (camera === undefined) return undefined;
  const read = typeof camera === 'string' ? await readFrom(camera) : camera;
  return cameraFor(fittedTo(read, upright), cut);
}

async function readFrom(path: string): Promise<Camera> {
  const [text, { readCamera }] = await Promise.all([textOf(path), import('@gradsim/cameras')]);
  return readCamera(text, { name: path });
}

/** Reads a text from a file in Node, from a URL elsewhere. */
async function textOf(path: string): Promise<string> {
  if (typeof process === 'undefined' || !process.versions?.node) {
    const answer = await fetch(path);
    if (!answer.ok)
      throw new GradsimError('film/file-unreadable', `The camera file ${path} cannot be read: ${answer.status}.`);
    return answer.text();
  }
  // Bundlers for pages must not look for it.
  const files: string = '@gradsim/core/files';
  const { readText } = (await import(/* @vite-ignore */ files)) as typeof import('@gradsim/core/files');
  try {
    return await readText(path);
  } catch (cause) {
    const { reason } = cause as import('@gradsim/core/files').FileRefused;
    throw new GradsimError('film/file-unreadable', `The camera file ${path} cannot be read: ${reason}.`, { cause });
  }
}
