import { accessSync, type BigIntStats, closeSync, constants, openSync, readSync, realpathSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { GradsimError } from '../error.ts';
import { kindOf, requireStatus, statusOfOpen } from './status.ts';
import { textOf } from './text-of.ts';

/** Limits of a file that is read. */
export interface FileLimits {
  /** Most bytes that are read; by default as many as Node can hold at once. */
  readonly maxBytes?: number;
  /** Number of bytes from the beginning that are read; by default all. */
  readonly firstBytes?: number;
  /** Folder out of which no link may lead, for files that another file names. */
  readonly insideFolder?: string;
}

/** Error of a file that is not read, or not replaced, with the code `base/file-refused`. */
export class FileRefused extends GradsimError {
  readonly kind: 'missing' | 'not a file' | 'too large' | 'outside' | 'unreadable';
  /** Why, for a sentence that names the file: `it is a pipe, not a file`. */
  readonly reason: string;

  constructor(path: string, kind: FileRefused['kind'], reason: string, cause?: unknown) {
    super('base/file-refused', `${path} is refused: ${reason}.`, { cause });
    this.kind = kind;
    this.reason = reason;
  }
}

/** Most bytes that Node reads at once. */
const MAX_BYTES = 2 ** 31 - 1;
/** Most bytes of a text: strings of Node have 2^29 characters at most. */
const MAX_TEXT_LENGTH = 2 ** 29 - 25;

/**
 * Reads a regular file. Pipes, sockets, devices and folders are refused before they are opened: their content may never
 * come, or never end.
 *
 * @throws FileRefused with the reason.
 */
export async function readBytes(path: string, limits: FileLimits = {}): Promise<Uint8Array> {
  try {
    check(path, limits);
    const file = await open(path, constants.O_RDONLY | NONBLOCK);
    try {
      const bytes = new Uint8Array(
        Math.min(readableSize(path, await file.stat({ bigint: true }), limits), limits.firstBytes ?? Infinity),
      );
      let at = 0;
      for (let read = -1; at < bytes.length && read !== 0; at += read)
        ({ bytesRead: read } = await file.read(bytes, at, bytes.length - at, at));
      return bytes.subarray(0, at);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw refusal(path, error);
  }
}

/** Reads a regular file without waiting, as {@link readBytes} does. @throws FileRefused with the reason. */
export function readBytesSync(path: string, limits: FileLimits = {}): Uint8Array {
  try {
    check(path, limits);
    const file = openSync(path, constants.O_RDONLY | NONBLOCK);
    try {
      const bytes = new Uint8Array(
        Math.min(readableSize(path, statusOfOpen(file), limits), limits.firstBytes ?? Infinity),
      );
      let at = 0;
      for (let read = -1; at < bytes.length && read !== 0; at += read)
        read = readSync(file, bytes, at, bytes.length - at, at);
      return bytes.subarray(0, at);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw refusal(path, error);
  }
}

/** Reads a text in UTF-8 or UTF-16 as {@link readBytes} does. @throws FileRefused with the reason. */
export const readText = async (path: string, limits: FileLimits = {}): Promise<string> =>
  textOf(await readBytes(path, { maxBytes: MAX_TEXT_LENGTH, ...limits }));

/** Reads a text without waiting. @throws FileRefused with the reason. */
export const readTextSync = (path: string, limits: FileLimits = {}): string =>
  textOf(readBytesSync(path, { maxBytes: MAX_TEXT_LENGTH, ...limits }));

/** Checks that a path is a file that may be read, without opening it. @throws FileRefused with the reason. */
export function requireReadable(path: string): void {
  try {
    check(path, {});
    accessSync(path, constants.R_OK);
  } catch (error) {
    throw refusal(path, error);
  }
}

/** A pipe that has taken a file's place meanwhile is opened at once, and refused then. */
const NONBLOCK = constants.O_NONBLOCK ?? 0;

/** Checks a path before anything is opened. @throws FileRefused, or what the file system throws. */
function check(path: string, limits: FileLimits): void {
  readableSize(path, requireStatus(path), limits);
  if (limits.insideFolder === undefined) return;
  const way = relative(realpathSync(limits.insideFolder), realpathSync(path));
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
    throw new FileRefused(path, 'outside', `it leads out of the folder ${limits.insideFolder}`);
}

/** Size of a file that may be read, bytes. @throws FileRefused for others. */
function readableSize(path: string, found: BigIntStats, { maxBytes: most = MAX_BYTES }: FileLimits): number {
  if (!found.isFile()) throw new FileRefused(path, 'not a file', `it is ${kindOf(found)}, not a file`);
  const size = Number(found.size);
  if (size > most)
    throw new FileRefused(path, 'too large', `it has ${sizeOf(size)}, and at most ${sizeOf(most)} are read`);
  return size;
}

const sizeOf = (bytes: number): string => `${Number((bytes / 1e6).toPrecision(3))} MB`;

function refusal(path: string, error: unknown): FileRefused {
  if (error instanceof FileRefused) return error;
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  return new FileRefused(path, isMissing ? 'missing' : 'unreadable', reasonOfSystem(error), error);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is a file',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'it is not there',
  ELOOP: 'it is a link that leads back to itself',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENOMEM: 'the memory is full',
  EIO: 'the disk fails',
  ERR_INVALID_ARG_VALUE: 'no file can have that name',
};

/** Reason why a file system refused something, in words. */
export function reasonOfSystem(error: unknown): string {
  if (error instanceof FileRefused) return error.reason;
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? message;
}
