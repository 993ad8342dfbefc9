import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { extname } from 'node:path';

/** A file that is looked at. */
export interface LookedFile {
  readonly path: string;
  /** Ending of its name, in lower case, with the dot. */
  readonly ending: string;
  /** Its first bytes, a character each. */
  readonly head: string;
  readonly bytes: () => Buffer;
}

/** Content of a file: lines for people, and the commands that go on, each a line. */
export interface Told {
  readonly format: string;
  readonly lines: readonly string[];
  readonly next: readonly string[];
}

/** A kind of file that `gradsim look` knows beside films. */
export interface FileFormat {
  readonly matches: (file: LookedFile) => boolean;
  /** Describes a file; its module loads what reads it. @throws for a file that is damaged. */
  readonly describe: (file: LookedFile) => Promise<Told>;
}

const HEAD = 512;

/** Opens a regular file to look at it. */
export function lookedFile(path: string): LookedFile {
  const file = openSync(path, 'r');
  const head = Buffer.alloc(HEAD);
  const length = readSync(file, head, 0, HEAD, 0);
  closeSync(file);
  return {
    path,
    ending: extname(path).toLowerCase(),
    head: head.subarray(0, length).toString('latin1'),
    bytes: () => readFileSync(path),
  };
}

export const oneOf =
  (...endings: readonly string[]) =>
  ({ ending }: LookedFile): boolean =>
    endings.includes(ending);
