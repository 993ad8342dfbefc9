import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EstimateRequest, FileRecord } from '../experiment/record.ts';
import { RUN } from './folder.ts';

/** What was asked of a run, to go on with it: `run.json`, which is there while a run is not at its end. */
export interface RunRequest {
  readonly format: 1;
  readonly request: EstimateRequest;
  /** The folder from which it was asked. */
  readonly from: string;
  readonly device: string;
  readonly threads?: number;
  /** The experiment's module and the video, with their hashes, and all packages in use: what the results hang on. */
  readonly experiment: FileRecord;
  readonly modules: readonly FileRecord[];
  readonly video?: FileRecord;
  /** Files that settings name. */
  readonly files?: readonly FileRecord[];
  readonly versions: Readonly<Record<string, string>>;
}

/** @throws when a folder has no run that can be gone on with. */
export function readRequest(folder: string): RunRequest {
  const file = join(folder, RUN);
  if (!existsSync(file))
    throw new Error(
      existsSync(join(folder, 'result.json'))
        ? `The run in ${folder} is at its end; there is nothing to go on with. Its results are in result.json.`
        : `There is no run in ${folder} to go on with: it has no ${RUN}.`,
    );
  let read: RunRequest;
  try {
    read = JSON.parse(readFileSync(file, 'utf8')) as RunRequest;
  } catch (cause) {
    throw new Error(`${file} is damaged, so the run cannot be gone on with. Begin anew with --force.`, {
      cause,
    });
  }
  if (read.format !== 1)
    throw new Error(
      `${file} has format ${read.format}, and this command reads format 1. Begin anew with --force.`,
    );
  return read;
}

/** @throws when what a run hangs on has changed since it began, naming it. */
export function refuseChanges(then: RunRequest, now: RunRequest): void {
  const changed = [
    ...differing('', hashes(then), hashes(now)),
    ...differing('version of ', then.versions, now.versions),
    ...(then.device === now.device ? [] : [`the device, ${then.device} then and ${now.device} now`]),
  ];
  if (changed.length > 0)
    throw new Error(
      `The run cannot be gone on with, since it would not be the same any more. Changed since it began: ${changed.join('; ')}. Begin anew with --force.`,
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
