import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { FileRefused, readTextSync } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';
import type { RunFolder } from '../../run/folder.ts';
import { list, object, oneOf, optional, problemOf, record, text, whole } from '../../shape.ts';
import type { LoadedStudy } from './source.ts';

/** Identity of the results in a folder, stored as `study.json`. */
export interface StudyRecord {
  readonly format: 1;
  /** Study as named on the command line; in a study of films, the experiment. */
  readonly study: string;
  readonly sha256: string;
  readonly modules: LoadedStudy['sources']['modules'];
  readonly versions: LoadedStudy['sources']['versions'];
  /** Hash of the study's module and imports, the experiments that it estimates, and its data. */
  readonly code: string;
  /** Hash of the data folder named by `--data`; absent without one. */
  readonly data?: string;
  /** Number of the study's trials. */
  readonly trials: number;
}

export const STUDY = 'study.json';

const SHAPE = object({
  format: oneOf(1),
  study: text,
  sha256: text,
  modules: list(object({ file: text, sha256: text })),
  versions: record(text),
  code: text,
  data: optional(text),
  trials: whole(1),
});

/** Reason why a value is not the identity of a study's results; undefined if it is one. */
export const problemOfRecord = (value: unknown): string | undefined => problemOf(value, SHAPE);

/**
 * Writes the identity of a folder's results, or compares it with the existing one.
 * @throws `gradsim/study-changed` if the folder has results of another study, or of another version of this one.
 */
export function claimFolder(folder: RunFolder, now: StudyRecord): void {
  if (folder.has(STUDY)) refuseOther(readStudy(folder.path), now, folder.path);
  else {
    const foreign = readdirSync(folder.path).find((name) => !name.startsWith('run.lock'));
    if (foreign !== undefined)
      throw new GradsimError('gradsim/folder-in-use', `The folder ${folder.path} holds ${foreign} and no study.`, {
        hint: 'Name another with --out.',
      });
  }
  folder.write(STUDY, `${JSON.stringify(now, null, 2)}\n`);
}

/** Reads the identity of a folder's results. @throws if it has no study. */
export function readStudy(folder: string): StudyRecord {
  const path = join(folder, STUDY);
  if (!existsSync(path))
    throw new GradsimError('gradsim/no-study', `There is no study in ${folder}: it has no ${STUDY}.`);
  let read: unknown;
  try {
    read = JSON.parse(readTextSync(path));
  } catch (cause) {
    throw new GradsimError(
      'gradsim/study-damaged',
      `${path} is damaged: ${cause instanceof FileRefused ? cause.reason : 'it is no JSON'}. The results beside it are not touched.`,
      { cause },
    );
  }
  const problem = problemOfRecord(read);
  if (problem !== undefined)
    throw new GradsimError(
      'gradsim/study-damaged',
      `${path} is damaged: ${problem}. The results beside it are not touched.`,
    );
  return read as StudyRecord;
}

function refuseOther(then: StudyRecord, now: StudyRecord, folder: string): void {
  if (then.code === now.code) return;
  throw new GradsimError(
    'gradsim/study-changed',
    `The folder ${folder} has results of another study, or of another version of it: ${differencesOf(then, now)} differ. Name another folder with --out; these results stay.`,
  );
}

/** Text that names what differs between two versions of a study. */
export function differencesOf(then: StudyRecord, now: StudyRecord): string {
  const hashes = ({ study, sha256, modules, versions, data = 'none' }: StudyRecord): Record<string, string> =>
    Object.fromEntries([
      [basename(study), sha256],
      ...modules.map(({ file, sha256: hash }) => [file, hash]),
      ...Object.entries(versions).map(([name, version]) => [`version of ${name}`, version]),
      ['files in the folder of --data', data],
    ]);
  const [before, after] = [hashes(then), hashes(now)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => before[name] !== after[name]).join(', ') || 'an experiment that it estimates';
}
