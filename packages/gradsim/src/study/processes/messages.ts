import type { Summary } from '../define/index.ts';
import type { StudySource } from '../load/source.ts';
import type { Json, Trial } from '../trial.ts';

/** Options of a trial process, passed as its first argument, as JSON. */
export interface TrialProcessOptions {
  readonly source: StudySource;
  /** Folder of the study's results, which holds the files of its trials. */
  readonly out: string;
  /** Data folder named by `--data`. */
  readonly data?: string;
  /** Maximum resident memory of the process, MB. */
  readonly megabytes: number;
  /** Id of the parent process; the trial process ends when that is gone. */
  readonly parent: number;
}

/** File descriptor to which a process writes when it exceeds its memory limit. */
export const MEMORY_FILE = 4;

/** Conditions of a sweep that hold for each of its trials, on every machine. */
export interface TrialConditions {
  /** Name of the device on which trials estimate. */
  readonly device: string;
  /** Time limit of a trial, s. */
  readonly seconds: number;
}

/** Message to a trial process: run this trial. */
export interface RunMessage extends Trial {
  readonly attempt: number;
  readonly device: string;
}

/** Message from a trial process. */
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
  | {
      readonly kind: 'threw';
      readonly message: string;
      /** True if the machine is at fault, and not the trial. */
      readonly isMachine: boolean;
      readonly cpuSeconds: number;
      readonly megabytes: number;
    };
