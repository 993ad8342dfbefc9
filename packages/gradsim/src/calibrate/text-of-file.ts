import { readFileSync, statSync } from 'node:fs';
import { GradsimError } from '@gradsim/core';

/** Reads the text of a file. @throws if it does not exist or is not a regular file: reading a pipe might never end. */
export function textOfFile(file: string, what: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new GradsimError('gradsim/no-file', `The ${what} ${file} is not there.`);
  if (!found.isFile())
    throw new GradsimError(
      'gradsim/not-a-file',
      `The ${what} ${file} is a ${found.isDirectory() ? 'folder' : 'pipe or a device'}, not a file.`,
    );
  return readFileSync(file, 'utf8');
}
