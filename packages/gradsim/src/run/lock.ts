import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { statusOf } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';
import { startOf } from './process-start.ts';

/** Claim of a process to a folder: a line of the lock file. */
interface Claim {
  readonly claim: string;
  readonly pid: number;
  readonly host: string;
  /** Start time of the process, see {@link startOf}; empty if unknown. */
  readonly started: string;
  /** Time of the claim, as text for users. */
  readonly since: string;
}

/** Maximum number of retries when another process removes the lock file, or its folder, at the same time. */
const MAX_TRIES = 1000;

/** Ids of this process's claims that are neither withdrawn nor released. */
const own = new Set<string>();

/**
 * Exclusive right to a folder. Each process appends a line to the lock file; the first line whose process is alive
 * holds the folder. Appending is atomic, so among concurrent processes exactly one is first, and the line of a dead
 * process is ignored, which avoids the race of removing its lock. Only the owner removes the file.
 */
export class FolderLock {
  readonly #path: string;
  readonly #claim: Claim;
  /** Sentences on processes that held the folder and ended without releasing it. */
  readonly takenOver: readonly string[];

  /**
   * @param path of the lock.
   * @param makeFolder creates the folder that contains it, if missing.
   * @throws `gradsim/folder-locked` if a living process, or any process of another machine, holds the folder; also
   * throws if the file is not a lock.
   */
  constructor(path: string, makeFolder: () => void) {
    this.#path = path;
    this.#claim = {
      claim: randomUUID(),
      pid: process.pid,
      host: hostname(),
      started: startOf(process.pid) ?? '',
      since: new Date().toISOString(),
    };
    own.add(this.#claim.claim);
    try {
      this.takenOver = this.#take(makeFolder);
    } catch (error) {
      own.delete(this.#claim.claim);
      throw error;
    }
    process.on('exit', this.#onExit);
  }

  #take(makeFolder: () => void): string[] {
    for (let tries = 1; ; tries++) {
      // A file system that allows no files may report, like /proc, that the folder does not exist.
      if (tries > MAX_TRIES)
        throw Object.assign(new GradsimError('gradsim/file-unwritable', 'No file can be made there.'), {
          code: 'ENOENT',
        });
      makeFolder();
      requireLock(this.#path);
      if (!append(this.#path, this.#claim, constants.O_CREAT)) continue;
      const claims = readClaims(this.#path);
      const at = claims.findIndex(({ claim }) => claim === this.#claim.claim);
      // The previous owner removed the file between the two.
      if (at === -1) continue;
      const before = claims.slice(0, at);
      const holder = before.find(isAlive);
      if (holder) {
        append(this.#path, { withdrawn: this.#claim.claim });
        throw new GradsimError('gradsim/folder-locked', inUse(this.#path, holder));
      }
      return before.map(
        ({ pid, since }) =>
          `The lock of ${dirname(this.#path)} is of process ${pid}, which took it at ${since} and runs no more; it is taken over.`,
      );
    }
  }

  readonly #onExit = (): void => this.release();

  /** Releases the folder. */
  release(): void {
    if (!own.delete(this.#claim.claim)) return;
    process.off('exit', this.#onExit);
    try {
      // Somebody may have removed the file by hand, and another run created its own.
      if (readClaims(this.#path).some(({ claim }) => claim === this.#claim.claim)) rmSync(this.#path, { force: true });
    } catch {
      // It cannot be read or removed: it is ignored once this process has ended.
    }
  }
}

/** Appends a line to a file atomically. Returns false if the file, or its folder, does not exist. */
function append(path: string, line: object, create = 0): boolean {
  let file: number;
  try {
    file = openSync(path, constants.O_WRONLY | constants.O_APPEND | create);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  // After an incomplete line from a power cut.
  try {
    writeFileSync(file, `\n${JSON.stringify(line)}\n`);
    return true;
  } finally {
    closeSync(file);
  }
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Claims of the lock file that are not withdrawn, in their order there. */
function readClaims(path: string): Claim[] {
  const lines = linesOf(path).map(parsed);
  const withdrawn = new Set(lines.map(withdrawnBy));
  return lines.filter(isClaim).filter(({ claim }) => !withdrawn.has(claim));
}

/** Parses a line of JSON; undefined if it is damaged. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line) ?? undefined;
  } catch {
    return undefined;
  }
}

const withdrawnBy = (line: unknown): unknown => (line as { withdrawn?: unknown } | undefined)?.withdrawn;

function isClaim(line: unknown): line is Claim {
  const { claim, pid, host, started, since } = (line ?? {}) as Partial<Record<keyof Claim, unknown>>;
  const isPid = Number.isSafeInteger(pid) && (pid as number) > 0;
  return isPid && [claim, host, started, since].every((each) => typeof each === 'string');
}

/** @throws for an existing file that is not a lock, so that nothing is appended to it. */
function requireLock(path: string): void {
  // Reading from a pipe would never end.
  const isFile = statusOf(path)?.isFile() ?? true;
  const lines = isFile ? linesOf(path).map(parsed) : [];
  const isLock = lines.length === 0 || lines.some((line) => isClaim(line) || withdrawnBy(line) !== undefined);
  if (isFile && isLock) return;
  throw new GradsimError(
    'gradsim/not-a-lock',
    `${path} is not a lock that gradsim wrote, or is damaged. If no run is under way in its folder, remove it.`,
  );
}

function isAlive({ claim, pid, host, started }: Claim): boolean {
  // Processes of other machines cannot be checked.
  if (host !== hostname()) return true;
  if (pid === process.pid) return own.has(claim);
  const now = startOf(pid);
  return now !== undefined && (now === started || now === '' || started === '');
}

function inUse(path: string, { pid, host, since }: Claim): string {
  const folder = dirname(path);
  const isHere = host === hostname();
  const process = `process ${pid}${isHere ? '' : ` of the machine ${host}`}, since ${since}`;
  const otherwise = isHere ? '' : ` If that run is over, remove ${path}.`;
  return `The folder ${folder} is in use by another run: ${process}. Wait for it, or name another folder with --out.${otherwise}`;
}
