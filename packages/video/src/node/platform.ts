import { randomUUID } from 'node:crypto';
import { access, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { GradsimError } from '@gradsim/base';
import { type FileRefused, readBytes, reasonOfSystem, requireReplaceable } from '@gradsim/base/files';
import type { Platform } from '../platform.ts';
import { registerCodecs } from './codecs.ts';
import { listImages } from './images.ts';
import { encoderAdvice, openVideo, prepareDecoder } from './video-reader.ts';

/** Functions for Node: files, decoding in a child process and with the program ffmpeg. */
export const platform: Platform = {
  read,
  isFile: (path) =>
    stat(path).then(
      (found) => found.isFile(),
      () => false,
    ),
  listImages,
  write,
  openVideo,
  prepareDecoder,
  registerCodecs: () => registerCodecs(),
  encoderAdvice,
};

/**
 * Reads a film's file, or its first bytes.
 * @throws GradsimError for a folder, for pipes, sockets and devices, whose data may never end, and for files of more than
 * 2.14 GB.
 */
async function read(path: string, limit?: number): Promise<Uint8Array> {
  try {
    return await readBytes(path, { firstBytes: limit });
  } catch (error) {
    const { kind, reason } = error as FileRefused;
    if (kind === 'missing') throw new GradsimError('video/no-file', `There is no file ${path}.`, { cause: error });
    if (kind === 'too large')
      throw new GradsimError('video/too-large', `${path} cannot be read: ${reason}.`, {
        hint: 'Cut it, or make it smaller, first.',
        cause: error,
      });
    if (kind === 'not a file')
      throw new GradsimError('video/not-a-file', `${path} cannot be read: ${reason}.`, {
        hint: 'Films are read from files, which can be read again.',
        cause: error,
      });
    throw new GradsimError('video/file-unreadable', `${path} cannot be read: ${reason}.`, { cause: error });
  }
}

async function write(files: ReadonlyMap<string, Uint8Array>, { overwrite }: { overwrite: boolean }): Promise<void> {
  for (const path of files.keys()) {
    const taken = await access(path).then(
      () => true,
      () => false,
    );
    if (taken && !overwrite) {
      throw new GradsimError('video/file-exists', `${path} exists already.`, {
        hint: 'Choose another name, or say overwrite: true.',
      });
    }
  }
  const written = new Map<string, string>();
  try {
    for (const [path, bytes] of files) {
      requireReplaceable(path);
      await mkdir(dirname(path), { recursive: true });
      const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
      written.set(temporary, path);
      await writeFile(temporary, bytes);
    }
    for (const [temporary, path] of written) await rename(temporary, path);
  } catch (error) {
    await Promise.all([...written.keys()].map((temporary) => rm(temporary, { force: true })));
    throw new GradsimError('video/file-unwritable', `Nothing was written: ${reasonOfSystem(error)}.`, { cause: error });
  }
}
