import { readFileSync, statSync } from 'node:fs';
import { GradsimError } from '@gradsim/core';

/** Reads the text of a file. @throws as {@link bytesOfFile}. */
export const textOfFile = (file: string, what: string): string => bytesOfFile(file, what).toString('utf8');

/** Reads a file. @throws if it does not exist or is not a regular file: reading a pipe might never end. */
export function bytesOfFile(file: string, what: string): Buffer {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new GradsimError('gradsim/no-file', `The ${what} ${file} is not there.`);
  if (!found.isFile())
    throw new GradsimError(
      'gradsim/not-a-file',
      `The ${what} ${file} is a ${found.isDirectory() ? 'folder' : 'pipe or a device'}, not a file.`,
    );
  return readFileSync(file);
}
