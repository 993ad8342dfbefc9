import { createHash } from 'node:crypto';
import type { DataFolder } from './data-folder.ts';
import type { LoadedStudy } from './source.ts';
import type { StudyRecord } from './study-record.ts';

/**
 * Version of a study: the hash of its code and, with `--data`, of the data folder's files. A trial's id is the hash of
 * this version and its settings.
 */
export function versionOf({ code }: LoadedStudy, data: DataFolder | undefined): string {
  return data ? createHash('sha256').update(`${code}\n${data.sha256}`).digest('hex') : code;
}

/** Identity record of a study with its trials. */
export function recordOf(
  loaded: LoadedStudy,
  data: DataFolder | undefined,
  study: string,
  trials: number,
): StudyRecord {
  const code = versionOf(loaded, data);
  return { format: 1, study, ...loaded.sources, code, ...(data && { data: data.sha256 }), trials };
}
