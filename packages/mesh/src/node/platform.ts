import { randomUUID } from 'node:crypto';
import { access, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { GradsimError } from '@gradsim/kernel';
import { reasonOf } from '../mesh.ts';
import type { Platform } from '../platform.ts';

/** File access for Node: by path. */
export const platform: Platform = {
  read,
  readBeside,
  write,
};

async function read(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') throw new GradsimError('mesh/no-file', `There is no file ${path}.`, { cause: error });
    throw new GradsimError('mesh/file-unreadable', `${path} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
}

async function readBeside(path: string, uri: string, { allowOutside }: { allowOutside: boolean }): Promise<Uint8Array> {
  const beside = resolve(dirname(path), decodeURIComponent(uri));
  if (!allowOutside) {
    // Both as written, and with links resolved.
    const links = [dirname(path), beside].map((each) => realpath(each).catch(() => undefined));
    const [folder, target] = await Promise.all(links);
    const isLinkedOut = folder !== undefined && target !== undefined && !isWithin(folder, target);
    if (!isWithin(resolve(dirname(path)), beside) || isLinkedOut)
      throw new GradsimError(
        'mesh/outside-of-folder',
        `${path} names the file ${uri}, which is outside of its folder, and so is not read. If you trust it, say allowOutside: true.`,
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
    await writeFile(temporary, bytes);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new GradsimError('mesh/file-unwritable', `${path} was not written: ${reasonOf(error)}`, { cause: error });
  }
}
