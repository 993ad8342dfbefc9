import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * The folder for an experiment's results: the one asked for, or `out/NAME`, then `out/NAME-2` and so on, whichever is
 * free. Makes nothing yet.
 * @throws when the folder asked for is there and `force` is not given, or could not be made.
 */
export function chooseFolder(asked: string | undefined, experiment: string, force: boolean): string {
  const folder = resolve(asked ?? (force ? defaultFolder(experiment) : freeFolder(experiment)));
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw new Error(`${folder} is a file; results go to a folder.`);
    if (!force) {
      throw new Error(
        `The folder ${folder} is there already; name another with --out, or add --force to replace its results.`,
      );
    }
  }
  requireWritable(folder);
  return folder;
}

const defaultFolder = (experiment: string): string => join('out', experiment.replace(/[^\w.-]+/g, '-'));

function freeFolder(experiment: string): string {
  const first = defaultFolder(experiment);
  let folder = first;
  for (let n = 2; existsSync(folder); n++) folder = `${first}-${n}`;
  return folder;
}

/** Refuses a place that cannot be written before a long run, not after it. */
function requireWritable(folder: string): void {
  let nearest = folder;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
    readdirSync(nearest);
  } catch {
    throw new Error(
      `Nothing can be written to ${folder}: ${nearest} is no folder that this user may write to.`,
    );
  }
}

/**
 * Writes files into a folder so that it holds all of them or none: they are written beside it first. Other files of a
 * folder that is there stay.
 */
export async function writeFolder(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const draft = `${folder}.${process.pid}.tmp`;
  try {
    await mkdir(draft, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(draft, name), text);
    if (existsSync(folder)) {
      for (const name of Object.keys(files)) await rename(join(draft, name), join(folder, name));
    } else {
      await rename(draft, folder);
    }
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
