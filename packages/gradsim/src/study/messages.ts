import type { Summary } from '@gradsim/study';
import type { StudySource } from './source.ts';
import type { Json, Trial } from './trial.ts';

/** Options of a trial process: its first argument, as JSON. */
export interface TrialProcessOptions {
  readonly source: StudySource;
  /** Folder for files of trials, that of the study's results. */
  readonly out: string;
  /** Folder that `--data` names. */
  readonly data?: string;
  /** Maximum resident memory of the process, MB. */
  readonly megabytes: number;
  /** Id of the parent process, without which it ends. */
  readonly parent: number;
}

/** File descriptor on which a process reports that it exceeded its memory. */
export const MEMORY_FILE = 4;

/** Conditions of a sweep for each of its trials, the same on every machine. */
export interface TrialConditions {
  /** Device for estimations. */
  readonly device: string;
  /** Time limit of a trial, s. */
  readonly seconds: number;
}

/** Message to the process: run this trial. */
export interface RunMessage extends Trial {
  readonly attempt: number;
  readonly device: string;
}

/** Message from the process. */
export type TrialMessage =
  /** The study is loaded, in this version of the code. */
  | { readonly kind: 'loaded'; readonly code: string }
  | { readonly kind: 'not loaded'; readonly message: string }
  | {
      readonly kind: 'done';
      readonly result: Json;
      readonly summary: Summary;
      readonly cpuSeconds: number;
      readonly megabytes: number;
    }
  | { readonly kind: 'threw'; readonly message: string; readonly cpuSeconds: number; readonly megabytes: number };
