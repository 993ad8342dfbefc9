import { type FileRefused, readBytesSync, textOf } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';

/** Codes of the errors by why a file is refused. */
const CODES: Readonly<Record<FileRefused['kind'], string>> = {
  missing: 'gradsim/no-file',
  'not a file': 'gradsim/not-a-file',
  'too large': 'gradsim/file-unreadable',
  outside: 'gradsim/file-unreadable',
  unreadable: 'gradsim/file-unreadable',
};

/** Reads the text of a file, in UTF-8 or UTF-16. @throws as {@link bytesOfFile}. */
export const textOfFile = (file: string, what: string): string => textOf(bytesOfFile(file, what));

/**
 * Reads a file.
 * @throws if it does not exist, cannot be read, or is not a regular file: reading a pipe might never end.
 */
export function bytesOfFile(file: string, what: string): Uint8Array {
  try {
    return readBytesSync(file);
  } catch (cause) {
    const { kind, reason } = cause as FileRefused;
    const said = kind === 'missing' ? 'is not there' : `cannot be read: ${reason}`;
    throw new GradsimError(CODES[kind], `The ${what} ${file} ${said}.`, { cause });
  }
}
