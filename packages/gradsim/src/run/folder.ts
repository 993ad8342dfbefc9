import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import {
  isFolder,
  reasonOfSystem,
  requireReplaceable,
  statusOf,
  writeWhole as writeFileWhole,
} from '@gradsim/base/files';
import { GradsimError, isGradsimError } from '@gradsim/core';
import { FolderLock } from './lock.ts';

/** Maximum length of a results folder's name, bytes: any file system allows it, with room for a number after it. */
const LONGEST_NAME = 200;
/** File name of the journal of a run in progress. */
export const JOURNAL_FILE = 'run.journal';
export const RUN_FILE = 'run.json';
const LOCK_FILE = 'run.lock';
/** Prefix of the names of files that are still being written. */
const DRAFT_PREFIX = '.gradsim-draft-';

/**
 * Chooses the folder for an experiment's results: the requested one, or the first free one of `out/NAME`, `out/NAME-2`
 * and so on. Creates nothing yet.
 * @param passedOver folders to skip even if they seem free.
 * @throws when the requested folder exists and `force` is not given, holds a run that can be resumed, or the
 * experiment's name is unusable as a folder name.
 */
export function chooseFolder(
  asked: string | undefined,
  experiment: string,
  force: boolean,
  passedOver: ReadonlySet<string> = new Set(),
): string {
  const folder = resolve(asked ?? (force ? defaultFolder(experiment) : freeFolder(experiment, passedOver)));
  if (Buffer.byteLength(basename(folder)) > LONGEST_NAME)
    throw new GradsimError(
      'gradsim/folder-name',
      `${basename(folder).slice(0, 40)}... is no name for a folder: it has ${basename(folder).length} characters, and at most ${LONGEST_NAME} bytes are taken.`,
    );
  if (isFree(folder)) return folder;
  if (statusOf(folder)?.isDirectory() === false)
    throw new GradsimError('gradsim/not-a-folder', `${folder} is a file; results go to a folder.`);
  if (!force) {
    const goOn = existsSync(join(folder, RUN_FILE)) ? `, go on with its run by --resume ${folder}` : '';
    throw new GradsimError('gradsim/folder-in-use', `The folder ${folder} is there already.`, {
      hint: `Name another with --out${goOn}, or add --force to replace its results.`,
    });
  }
  return folder;
}

/**
 * Acquires the folder that {@link chooseFolder} names for this run alone. Concurrent runs each get a folder of their
 * own, or, if one folder is requested, all but one are refused.
 * @throws its errors, and if another run has the requested folder, or it cannot be written to.
 */
export function takeFolder(asked: string | undefined, experiment: string, force: boolean): RunFolder {
  const passedOver = new Set<string>();
  for (;;) {
    const path = chooseFolder(asked, experiment, force, passedOver);
    try {
      const folder = new RunFolder(path);
      if (force || isFree(path)) return folder;
      // Another run has ended there since it was chosen.
      folder.close();
    } catch (error) {
      if (!isGradsimError(error, 'gradsim/folder-locked') || asked !== undefined || force) throw error;
      passedOver.add(path);
    }
  }
}

/** Default results folder, `out/NAME`. @throws if the experiment's name would not make its own folder in `out`. */
function defaultFolder(experiment: string): string {
  const name = experiment.replace(/[^\w.-]+/g, '-');
  if (/^\.*$/.test(name))
    throw new GradsimError('gradsim/folder-name', `The experiment's name "${experiment}" makes no folder.`, {
      hint: 'Name one with --out.',
    });
  return join('out', name);
}

/** True if a folder does not exist, or is empty: an earlier run may have ended right after creating it. */
function isFree(folder: string): boolean {
  if (!existsSync(folder)) return true;
  try {
    const isOfRun = (name: string): boolean => name.startsWith(DRAFT_PREFIX) || name === LOCK_FILE;
    return (statusOf(folder)?.isDirectory() ?? true) && readdirSync(folder).every(isOfRun);
  } catch (error) {
    // Another run has removed it meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
}

function freeFolder(experiment: string, passedOver: ReadonlySet<string>): string {
  const first = defaultFolder(experiment);
  let folder = first;
  for (let n = 2; !isFree(folder) || passedOver.has(resolve(folder)); n++) folder = `${first}-${n}`;
  return folder;
}

/**
 * Folder of a run in progress, which no other run writes to. Files appear in it complete: each is first written under a
 * temporary name in the folder, so that nothing outside it needs to be writable.
 */
export class RunFolder {
  readonly path: string;
  readonly #made: string[] = [];
  readonly #lock: FolderLock;

  /** Creates the folder. @throws if another run has it, or it cannot be written to. */
  constructor(path: string) {
    this.path = path;
    let lock: FolderLock | undefined;
    try {
      lock = new FolderLock(join(path, LOCK_FILE), () => this.#make());
      removeDrafts(path);
    } catch (cause) {
      lock?.release();
      this.#removeEmpty();
      // Those of the lock say enough.
      if (!/^E[A-Z]+$/.test(String((cause as NodeJS.ErrnoException).code))) throw cause;
      throw new GradsimError(
        'gradsim/file-unwritable',
        `Nothing can be written to ${path}: ${reasonOfSystem(cause)}.`,
        {
          cause,
        },
      );
    }
    this.#lock = lock;
  }

  /** Sentences on earlier runs that held the folder and ended abnormally. */
  get remarks(): readonly string[] {
    return this.#lock.takenOver;
  }
  join(name: string): string {
    return join(this.path, name);
  }
  has(name: string): boolean {
    return existsSync(this.join(name));
  }
  /** Writes a file, replacing one of that name. @throws if it cannot be written, naming it. */
  write(name: string, content: string | Uint8Array): void {
    try {
      writeWhole(this.join(name), content);
    } catch (cause) {
      throw new GradsimError(
        'gradsim/file-unwritable',
        `${this.join(name)} cannot be written: ${reasonOfSystem(cause)}.`,
        {
          cause,
        },
      );
    }
  }
  remove(name: string): void {
    rmSync(this.join(name), { force: true });
  }
  /** Releases the folder, and removes the created folders that are empty. */
  close(): void {
    this.#lock.release();
    this.#removeEmpty();
  }

  #make(): void {
    try {
      this.#made.push(...makeFolder(this.path));
    } catch (cause) {
      const code = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'the file system makes no folders there' : '';
      throw new GradsimError(
        'gradsim/file-unwritable',
        `Nothing can be written to ${this.path}: ${code || reasonOfSystem(cause)}.`,
        { cause },
      );
    }
  }

  /** Removes the folders that this run created, except those into which others have put something. */
  #removeEmpty(): void {
    for (const folder of this.#made.splice(0).reverse())
      try {
        rmdirSync(folder);
      } catch {
        // It is not empty, or no longer exists.
      }
  }
}

/** Writes a file whole, as {@link writeFileWhole} does; a draft that a kill leaves in a run's folder is removed. */
export const writeWhole = (path: string, content: string | Uint8Array): void =>
  writeFileWhole(path, content, `${DRAFT_PREFIX}${basename(path)}`);

/**
 * Checks, before anything is computed for it, that a file may be written.
 * @param option of the command that names it.
 * @throws if it is there and `force` is not given, and if it is a link, a device or a folder.
 */
export function requireOutput(path: string, option: string, force: boolean): void {
  try {
    requireReplaceable(path);
  } catch (cause) {
    throw new GradsimError('gradsim/not-a-file', `${path} cannot be written: ${reasonOfSystem(cause)}.`, {
      field: option,
      hint: `Name another with ${option}.`,
      cause,
    });
  }
  if (existsSync(path) && !force)
    throw new GradsimError('gradsim/file-exists', `${path} is there already.`, {
      hint: `Name another with ${option}, or add --force to replace it.`,
    });
}

/** Writes a file that an option names, in a folder that is made if need be. @throws if it cannot be written. */
export function writeOutput(path: string, content: string | Uint8Array): void {
  try {
    makeFolder(dirname(path));
    writeWhole(path, content);
  } catch (cause) {
    throw new GradsimError('gradsim/file-unwritable', `${path} cannot be written: ${reasonOfSystem(cause)}.`, {
      cause,
    });
  }
}

/**
 * Creates a folder and its missing parents, and returns the created ones, outermost first. (Node's `mkdir` with
 * `recursive` never returns on a file system that cannot have new folders, such as /proc.)
 */
export function makeFolder(path: string): string[] {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  return missing.filter((folder) => {
    try {
      mkdirSync(folder);
      return true;
    } catch (error) {
      // Another process has created it meanwhile.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST' && isFolder(folder)) return false;
      throw error;
    }
  });
}

/** Removes temporary files of a run that was killed. */
function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith(DRAFT_PREFIX)) rmSync(join(folder, name));
}
