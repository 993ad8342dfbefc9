import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { GradsimError } from '@gradsim/core';
import { startOf } from './process-start.ts';

/** A process that asked for a folder: a line of the lock. */
interface Claim {
  readonly claim: string;
  readonly pid: number;
  readonly host: string;
  /** {@link startOf} the process; empty where that is not known. */
  readonly started: string;
  /** When it asked, for people. */
  readonly since: string;
}

/** How often a claim is made anew where the file, or its folder, is removed at that moment. */
const MAX_TRIES = 1000;

/** Claims of this process that are neither withdrawn nor given up. */
const own = new Set<string>();

/**
 * The right to a folder, for one run at a time. Whoever wants it adds a line to the lock, a file; of those whose processes live
 * the first has the folder. Adding lines at the end is atomic, so of many that come at once exactly one is first, and the lock of a
 * process that died needs no removing, at which two could meet: its line does not count any more. Only who has the folder removes
 * the file.
 */
export class FolderLock {
  readonly #path: string;
  readonly #claim: Claim;
  /** Sentences on processes that had the folder and ended without giving it up. */
  readonly takenOver: readonly string[];

  /**
   * @param path of the lock.
   * @param makeFolder makes the folder that it lies in, where that is not there.
   * @throws `gradsim/folder-locked` where a process that lives has the folder, or one of another machine; and where the file is not a lock.
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
      // A file system in which nothing can be made may say, as /proc does, that the folder is not there.
      if (tries > MAX_TRIES)
        throw Object.assign(new GradsimError('gradsim/file-unwritable', 'No file can be made there.'), {
          code: 'ENOENT',
        });
      makeFolder();
      requireLock(this.#path);
      if (!append(this.#path, this.#claim, constants.O_CREAT)) continue;
      const claims = readClaims(this.#path);
      const at = claims.findIndex(({ claim }) => claim === this.#claim.claim);
      // Whoever had the folder removed the file between the two.
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

  /** Gives the folder up. */
  release(): void {
    if (!own.delete(this.#claim.claim)) return;
    process.off('exit', this.#onExit);
    try {
      // Somebody may have removed the file by hand, and another run made one of its own.
      if (readClaims(this.#path).some(({ claim }) => claim === this.#claim.claim)) rmSync(this.#path, { force: true });
    } catch {
      // It cannot be read or removed: it does not count once this process has ended.
    }
  }
}

/** Adds a line, which is whole or not there at all. Returns false where the file, or its folder, is not there. */
function append(path: string, line: object, create = 0): boolean {
  let file: number;
  try {
    file = openSync(path, constants.O_WRONLY | constants.O_APPEND | create);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  // After a line that a power cut has left without its end.
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

/** Claims that are not withdrawn, in order. */
function readClaims(path: string): Claim[] {
  const lines = linesOf(path).map(parsed);
  const withdrawn = new Set(lines.map(withdrawnBy));
  return lines.filter(isClaim).filter(({ claim }) => !withdrawn.has(claim));
}

/** What a line says; undefined where it is damaged. */
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

/** @throws where a file is there that is not a lock: nothing is added to it. */
function requireLock(path: string): void {
  // Reading from a pipe would never end.
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
  const lines = isFile ? linesOf(path).map(parsed) : [];
  const isLock = lines.length === 0 || lines.some((line) => isClaim(line) || withdrawnBy(line) !== undefined);
  if (isFile && isLock) return;
  throw new GradsimError(
    'gradsim/not-a-lock',
    `${path} is not a lock that gradsim wrote, or is damaged. If no run is under way in its folder, remove it.`,
  );
}

function isAlive({ claim, pid, host, started }: Claim): boolean {
  // Processes of other machines cannot be asked for.
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
