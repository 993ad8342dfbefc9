import { randomUUID } from 'node:crypto';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createDeflate } from 'node:zlib';
import { GradsimError } from '@gradsim/base';
import { type FileRefused, readBytes, reasonOfSystem, requireReplaceable } from '@gradsim/base/files';
import type { Platform } from '../platform.ts';

/**
 * Level of compression. Sheets of a film's frames, 31 MB, take 79 ms and 1.8 MB with it; with 6, that of a
 * CompressionStream, 286 ms and 1.4 MB.
 */
const LEVEL = 3;

/** File access for Node, by path, and compression on another thread. */
export const platform: Platform = {
  read,
  readBeside,
  write,
  deflate,
};

async function deflate(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  await pipeline(bytes, createDeflate({ level: LEVEL }), async (compressed: AsyncIterable<Uint8Array>) => {
    for await (const part of compressed) parts.push(part);
  });
  return parts;
}

function read(path: string): Promise<Uint8Array> {
  return readBytes(path).catch((error: FileRefused) => Promise.reject(refusal(path, error)));
}

function refusal(path: string, error: FileRefused): GradsimError {
  if (error.kind === 'missing') return new GradsimError('mesh/no-file', `There is no file ${path}.`, { cause: error });
  return new GradsimError('mesh/file-unreadable', `${path} cannot be read: ${error.reason}.`, { cause: error });
}

async function readBeside(path: string, uri: string, { allowOutside }: { allowOutside: boolean }): Promise<Uint8Array> {
  const beside = resolve(dirname(path), decodeURIComponent(uri));
  if (!allowOutside) {
    const outside = new GradsimError(
      'mesh/outside-of-folder',
      `${path} names the file ${uri}, which is outside of its folder, and so is not read. If you trust it, say allowOutside: true.`,
    );
    // Both as written, and with links resolved.
    if (!isWithin(resolve(dirname(path)), beside)) throw outside;
    return readBytes(beside, { insideFolder: dirname(path) }).catch((error: FileRefused) =>
      Promise.reject(error.kind === 'outside' ? outside : refusal(beside, error)),
    );
  }
  return read(beside);
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function write(path: string, bytes: Uint8Array, { overwrite }: { overwrite: boolean }): Promise<void> {
  const taken = await access(path).then(
    () => true,
    () => false,
  );
  if (taken && !overwrite) {
    throw new GradsimError('mesh/file-exists', `${path} exists already.`, {
      hint: 'Choose another name, or say overwrite: true.',
    });
  }
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
  try {
    await mkdir(dirname(path), { recursive: true });
    requireReplaceable(path);
    await writeFile(temporary, bytes);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new GradsimError('mesh/file-unwritable', `${path} was not written: ${reasonOfSystem(error)}.`, {
      cause: error,
    });
  }
}
