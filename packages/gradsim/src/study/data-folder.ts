import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { GradsimError } from '@gradsim/core';

/** Folder of a study's data, with one hash of all its files. */
export interface DataFolder {
  readonly path: string;
  readonly sha256: string;
}

/** Computes the hash of a folder from the names and contents of all files in it. @throws if it is not a folder. */
export async function readDataFolder(name: string): Promise<DataFolder> {
  const path = resolve(name);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new GradsimError('gradsim/no-data', `There is no folder ${path}, which --data names.`);
  const hash = createHash('sha256');
  for (const file of filesIn(path)) {
    hash.update(`${file}\n`);
    const content = createHash('sha256');
    await pipeline(createReadStream(join(path, file)), content);
    hash.update(content.digest());
  }
  return { path, sha256: hash.digest('hex') };
}

/** Relative paths of all files below a folder, sorted in an order that is equal on every file system. */
function filesIn(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .map((entry) => ({ entry, path: below === '' ? entry.name : `${below}/${entry.name}` }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap(({ entry, path }) => (entry.isDirectory() ? filesIn(folder, path) : [path]));
}
