import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { GradsimError } from '@gradsim/base';
import { isFolder } from '@gradsim/base/files';

/** @throws if the folder cannot be created, or exists and is not empty. */
export function checkFolder(folder: string): void {
  const nearest = existing(folder);
  if (!isFolder(nearest))
    throw new GradsimError('create-gradsim/folder-is-file', `${nearest} is a file.`, {
      field: '--folder',
      hint: 'Choose another folder with --folder, or move it away.',
    });
  const [first] = nearest === folder ? readdirSync(folder) : [];
  if (first !== undefined)
    throw new GradsimError(
      'create-gradsim/folder-not-empty',
      `The folder ${folder} is there already and holds ${first}.`,
      { field: '--folder', hint: 'Choose another with --folder, or empty it.' },
    );
  try {
    accessSync(nearest, constants.W_OK);
  } catch {
    throw new GradsimError('create-gradsim/folder-not-writable', `Nothing can be written in ${nearest}.`, {
      field: '--folder',
      hint: 'Choose another folder with --folder.',
    });
  }
}

/** Returns the folder if it exists, else its nearest existing ancestor. */
const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)));
