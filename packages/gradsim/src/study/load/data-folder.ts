import { createHash } from 'node:crypto';
import { readdirSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isFolder, kindOf, statusOf } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';
import { hashOfFile } from '../../files/hash-of-file.ts';

/** Folder of a study's data, with one hash of all its files. */
export interface DataFolder {
  readonly path: string;
  readonly sha256: string;
}

/** Computes the hash of a folder from the names and contents of all files in it. @throws if it is not a folder. */
export async function readDataFolder(name: string): Promise<DataFolder> {
  const path = resolve(name);
  if (!isFolder(path)) throw new GradsimError('gradsim/no-data', `There is no folder ${path}, which --data names.`);
  const hash = createHash('sha256');
  for (const file of filesIn(path)) {
    hash.update(`${file}\n`);
    hash.update(await hashOfFile(join(path, file)), 'hex');
  }
  return { path, sha256: hash.digest('hex') };
}

/**
 * Relative paths of all files below a folder, sorted in an order that is equal on every file system. Links are followed.
 * @throws for what is neither file nor folder, and for a link to a folder around it.
 */
function filesIn(folder: string, below = '', around: readonly string[] = []): string[] {
  const here = realpathSync(join(folder, below));
  const refuse = (path: string, what: string): never => {
    throw new GradsimError('gradsim/not-a-file', `${join(folder, path)}, which --data holds, is ${what}.`, {
      hint: 'A folder of data holds files.',
    });
  };
  if (around.includes(here)) refuse(below, 'a link to a folder around it');
  return readdirSync(join(folder, below))
    .map((name) => (below === '' ? name : `${below}/${name}`))
    .sort((a, b) => (a < b ? -1 : 1))
    .flatMap((path) => {
      const found = statusOf(join(folder, path));
      if (found?.isDirectory()) return filesIn(folder, path, [...around, here]);
      if (!found?.isFile()) refuse(path, found ? kindOf(found) : 'a link to nothing');
      return [path];
    });
}
