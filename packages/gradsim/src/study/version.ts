import { createHash } from 'node:crypto';
import type { DataFolder } from './data-folder.ts';
import type { LoadedStudy } from './source.ts';
import type { StudyRecord } from './study-record.ts';

/** Version of a study: its code, and with `--data` the files there. Trials' ids are hashes of it and of their settings. */
export function versionOf({ code }: LoadedStudy, data: DataFolder | undefined): string {
  return data ? createHash('sha256').update(`${code}\n${data.sha256}`).digest('hex') : code;
}

/** Identity of a study with its trials. */
export function recordOf(
  loaded: LoadedStudy,
  data: DataFolder | undefined,
  study: string,
  trials: number,
): StudyRecord {
  const code = versionOf(loaded, data);
  return { format: 1, study, ...loaded.sources, code, ...(data && { data: data.sha256 }), trials };
}
