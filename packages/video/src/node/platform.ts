import { randomUUID } from 'node:crypto';
import { access, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { GradsimError, isGradsimError } from '@gradsim/kernel';
import { reasonOf } from '../errors.ts';
import type { Platform } from '../platform.ts';
import { registerCodecs } from './codecs.ts';
import { listImages } from './images.ts';
import { encoderAdvice, openVideo, prepareDecoder } from './video-reader.ts';

/** Functions for Node: files, decoding in a child process and with the program ffmpeg. */
export const platform: Platform = {
  read,
  listImages,
  write,
  openVideo,
  prepareDecoder,
  registerCodecs: () => registerCodecs(),
  encoderAdvice,
};

/** Maximum size of a film file in bytes: Node cannot read a longer file at once. */
const LARGEST = 2 ** 31 - 1;

/**
 * Checks that a path is a folder, or a file of at most `LARGEST` bytes.
 * @throws GradsimError for pipes, sockets and devices, whose data may never end, and for longer files.
 */
async function refuseEndless(path: string): Promise<void> {
  const found = await stat(path);
  if (found.isDirectory() || (found.isFile() && found.size <= LARGEST)) return;
  if (found.isFile())
    throw new GradsimError(
      'video/too-large',
      `${path} has ${(found.size / 1e9).toPrecision(3)} GB, and films are read up to 2.14 GB: cut it, or make it smaller, first.`,
    );
  const kind = found.isFIFO() ? 'a pipe' : found.isSocket() ? 'a socket' : 'a device';
  throw new GradsimError(
    'video/not-a-file',
    `${path} is ${kind}, not a file: films are read from files, which can be read again.`,
  );
}

async function read(path: string, limit?: number): Promise<Uint8Array> {
  try {
    await refuseEndless(path);
    if (limit === undefined) return await readFile(path);
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(new Uint8Array(limit), 0, limit, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isGradsimError(error)) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') throw new GradsimError('video/no-file', `There is no file ${path}.`, { cause: error });
    if (code === 'EISDIR')
      throw new GradsimError('video/not-a-file', `${path} is a folder, not a file.`, { cause: error });
    throw new GradsimError('video/file-unreadable', `${path} cannot be read: ${reasonOf(error)}`, { cause: error });
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
      await mkdir(dirname(path), { recursive: true });
      const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
      written.set(temporary, path);
      await writeFile(temporary, bytes);
    }
    for (const [temporary, path] of written) await rename(temporary, path);
  } catch (error) {
    await Promise.all([...written.keys()].map((temporary) => rm(temporary, { force: true })));
    throw new GradsimError('video/file-unwritable', `Nothing was written: ${reasonOf(error)}`, { cause: error });
  }
}
