import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { kindOf, readTextSync, statusOf } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';
import type { EstimateRequest } from '../experiment/record/record.ts';
import type { FileRecord } from '../modules/sources.ts';
import { RUN_FILE } from './folder.ts';
import { problemOfRequest } from './request-shape.ts';

/** Request of a run, from which it can be resumed; stored as `run.json` until the run ends. */
export interface RunRequest {
  readonly format: 1;
  readonly request: EstimateRequest;
  /** Folder in which the run was requested. */
  readonly from: string;
  readonly device: string;
  readonly threads?: number;
  /**
   * Hashes of the experiment's modules and the video, and the versions of all packages in use: results depend on them.
   */
  readonly experiment: FileRecord;
  readonly modules: readonly FileRecord[];
  readonly video?: FileRecord;
  /** Files named by settings, with their hashes. */
  readonly files?: readonly FileRecord[];
  readonly versions: Readonly<Record<string, string>>;
}

/** Maximum size of `run.json`, bytes: even a request with thousands of modules is smaller. */
const MAX_BYTES = 16e6;

/** Reads the request of a folder's run. @throws if the folder has no resumable run. */
export function readRequest(folder: string): RunRequest {
  const file = join(folder, RUN_FILE);
  if (!existsSync(file))
    throw new GradsimError(
      'gradsim/no-run',
      existsSync(join(folder, 'result.json'))
        ? `The run in ${folder} is at its end; there is nothing to go on with. Its results are in result.json.`
        : `There is no run in ${folder} to go on with: it has no ${RUN_FILE}.`,
    );
  const damaged = (what: string, cause?: unknown): Error =>
    new GradsimError('gradsim/run-damaged', `${file} is damaged, so the run cannot be gone on with: ${what}.`, {
      hint: 'Begin anew in another folder, or remove the file and begin anew with --force.',
      cause,
    });
  const stats = statusOf(file);
  if (!stats?.isFile()) throw damaged(stats ? `it is ${kindOf(stats)}, not a file` : 'it is not there');
  if (stats.size > MAX_BYTES) throw damaged(`it has ${stats.size} bytes, and at most ${MAX_BYTES} are read`);
  let read: unknown;
  try {
    read = JSON.parse(readTextSync(file));
  } catch (cause) {
    throw damaged(stats.size === 0n ? 'it is empty' : 'it is no JSON', cause);
  }
  const { format } = (read ?? {}) as { format?: unknown };
  if (typeof format === 'number' && format !== 1)
    throw new GradsimError('gradsim/run-format', `${file} has format ${format}, and this command reads format 1.`, {
      hint: 'Begin anew with --force.',
    });
  const problem = problemOfRequest(read);
  if (problem !== undefined) throw damaged(problem);
  return read as RunRequest;
}

/** Changes the working directory to the folder in which a run was requested, to which its file names are relative. */
export function enterFolderOf({ from }: RunRequest, folder: string): void {
  try {
    process.chdir(from);
  } catch (cause) {
    throw new GradsimError(
      'gradsim/folder-missing',
      `The run in ${folder} was begun from the folder ${from}, which cannot be entered. Files are named as they were from there.`,
      { hint: 'Bring it back, or begin anew with --force.', cause },
    );
  }
}

/** Compares a resumed run's inputs with those recorded. @throws if any has changed, naming it. */
export function refuseChanges(then: RunRequest, now: RunRequest): void {
  const changed = [
    ...differing('', hashes(then), hashes(now)),
    ...differing('version of ', then.versions, now.versions),
    ...(then.device === now.device ? [] : [`the device, ${then.device} then and ${now.device} now`]),
  ];
  if (changed.length > 0)
    throw new GradsimError(
      'gradsim/run-changed',
      `The run cannot be gone on with, since it would not be the same any more. Changed since it began: ${changed.join('; ')}.`,
      { hint: 'Begin anew with --force.' },
    );
}

const hashes = ({ experiment, modules, video, files = [] }: RunRequest): Record<string, string> =>
  Object.fromEntries(
    [experiment, ...modules, ...files, ...(video ? [video] : [])].map(({ file, sha256 }) => [file, sha256]),
  );

function differing(
  what: string,
  then: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): string[] {
  const names = [...new Set([...Object.keys(then), ...Object.keys(now)])];
  return names
    .filter((name) => then[name] !== now[name])
    .map((name) => `${what}${name}${what ? ` (${then[name] ?? 'none'}, now ${now[name] ?? 'none'})` : ''}`);
}
