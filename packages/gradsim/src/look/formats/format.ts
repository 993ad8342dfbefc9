import { extname } from 'node:path';
import { readBytesSync } from '@gradsim/base/files';
import type { Table } from '@gradsim/base/tables';
import { GradsimError } from '@gradsim/core';
import { bytesOfFile } from '../../files/file-content.ts';

/** A file that is looked at. */
export interface LookedFile {
  readonly path: string;
  /** Ending of its name, in lower case, with the dot. */
  readonly ending: string;
  /** Its first bytes, a character each. */
  readonly head: string;
  /** Its content, which is read once. */
  readonly bytes: () => Uint8Array;
  /** Part that is looked at, of a file that has several. */
  readonly part?: string;
}

/** Content of a file: lines for people, and the commands that go on, each a line. */
export interface FileDescription {
  readonly format: string;
  readonly lines: readonly string[];
  readonly next: readonly string[];
  /** The table, of a file of another program from which one is taken. */
  readonly table?: Table;
}

/** A kind of file that `gradsim look` knows beside films. */
export interface FileFormat {
  readonly matches: (file: LookedFile) => boolean;
  /** Describes a file; its module loads what reads it. @throws for a file that is damaged. */
  readonly describe: (file: LookedFile) => Promise<FileDescription>;
}

const HEAD_BYTES = 512;

/** Opens a regular file of any size to look at it. @throws for one that is empty. */
export function lookedFile(path: string): LookedFile {
  let content: Uint8Array | undefined;
  const head = Buffer.from(
    readBytesSync(path, { firstBytes: HEAD_BYTES, maxBytes: Number.POSITIVE_INFINITY }),
  ).toString('latin1');
  if (head === '') throw new GradsimError('gradsim/file-unreadable', `${path} cannot be read: it is empty.`);
  return {
    path,
    ending: extname(path).toLowerCase(),
    head,
    bytes: () => {
      content ??= bytesOfFile(path, 'file');
      return content;
    },
  };
}

export const oneOf =
  (...endings: readonly string[]) =>
  ({ ending }: LookedFile): boolean =>
    endings.includes(ending);
