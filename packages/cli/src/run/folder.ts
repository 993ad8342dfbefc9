import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Bytes of a file's name that every file system takes, with room for a number behind it. */
const LONGEST_NAME = 200;
/** What a run of an experiment writes down while it is under way. */
export const JOURNAL = 'run.journal';
export const RUN = 'run.json';
/** How the name of a file begins that is not whole yet. */
const DRAFT = '.draft-';

/**
 * The folder for an experiment's results: the one asked for, or `out/NAME`, then `out/NAME-2` and so on, whichever is
 * free. Makes nothing yet.
 * @throws when the folder asked for is there and `force` is not given, holds a run that can be gone on with, or the
 * experiment's name makes no folder.
 */
export function chooseFolder(asked: string | undefined, experiment: string, force: boolean): string {
  const folder = resolve(asked ?? (force ? defaultFolder(experiment) : freeFolder(experiment)));
  if (Buffer.byteLength(basename(folder)) > LONGEST_NAME)
    throw new Error(
      `${basename(folder).slice(0, 40)}... is no name for a folder: it has ${basename(folder).length} characters, and at most ${LONGEST_NAME} bytes are taken.`,
    );
  if (isFree(folder)) return folder;
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is a file; results go to a folder.`);
  if (!force) {
    const goOn = existsSync(join(folder, RUN)) ? `, go on with its run by --resume ${folder}` : '';
    throw new Error(
      `The folder ${folder} is there already; name another with --out${goOn}, or add --force to replace its results.`,
    );
  }
  return folder;
}

/** @throws when the name would be no folder of its own in `out`. */
function defaultFolder(experiment: string): string {
  const name = experiment.replace(/[^\w.-]+/g, '-');
  if (/^\.*$/.test(name))
    throw new Error(`The experiment's name "${experiment}" makes no folder; name one with --out.`);
  return join('out', name);
}

/** Whether a folder is not there, or there is nothing in it: a run may have been ended as it began. */
const isFree = (folder: string): boolean =>
  !existsSync(folder) ||
  (statSync(folder).isDirectory() && readdirSync(folder).every((name) => name.startsWith(DRAFT)));

function freeFolder(experiment: string): string {
  const first = defaultFolder(experiment);
  let folder = first;
  for (let n = 2; !isFree(folder); n++) folder = `${first}-${n}`;
  return folder;
}

/**
 * The folder of a run under way. Files come into it whole: each is written under another name within it first, so that
 * nothing beside the folder needs to be written to.
 */
export class RunFolder {
  readonly path: string;
  readonly #made: string | undefined;

  /** Makes the folder. @throws when nothing can be written there. */
  constructor(path: string) {
    this.path = path;
    try {
      this.#made = makeFolder(path);
      removeDrafts(path);
      this.write('.writable', '');
      this.remove('.writable');
    } catch (cause) {
      this.discard();
      throw new Error(`Nothing can be written to ${path}: ${reasonOf(cause)}.`, { cause });
    }
  }

  join(name: string): string {
    return join(this.path, name);
  }
  has(name: string): boolean {
    return existsSync(this.join(name));
  }
  /** Puts a file there, in place of one of that name. */
  write(name: string, content: string | Uint8Array): void {
    const draft = this.join(`${DRAFT}${name}`);
    writeFileSync(draft, content);
    renameSync(draft, this.join(name));
  }
  remove(name: string): void {
    rmSync(this.join(name), { force: true });
  }
  /** Removes what has been made of the folder, where there is nothing in it. */
  discard(): void {
    if (this.#made === undefined) return;
    try {
      if (readdirSync(this.path).length === 0) rmSync(this.#made, { recursive: true });
    } catch {
      // It is not there, or not to be read: nothing to remove.
    }
  }
}

/**
 * Makes a folder and those around it, and gives the outermost that was not there. (`mkdir` with `recursive` never comes
 * back where a file system has no folders to make, as /proc.)
 */
function makeFolder(path: string): string | undefined {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  for (const folder of missing) mkdirSync(folder);
  return missing[0];
}

/** Removes what a run that was ended at once was writing. */
function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith(DRAFT)) rmSync(join(folder, name));
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known: Record<string, string> = {
    EACCES: 'this user may not',
    EPERM: 'this user may not',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
    ENOTDIR: 'a part of the path is a file',
    ENAMETOOLONG: 'the name is too long',
    ENOENT: 'the file system makes no folders there',
  };
  return known[code ?? ''] ?? message;
}
