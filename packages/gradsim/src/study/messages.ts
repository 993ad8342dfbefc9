import type { Summary } from '@gradsim/study';
import type { StudySource } from './source.ts';
import type { Json, Trial } from './trial.ts';

/** What a process that runs trials is started with: its first argument, as JSON. */
export interface TrialProcessOptions {
  readonly source: StudySource;
  /** Folder of the study's results. */
  readonly out: string;
  /** Device of estimations. */
  readonly device: string;
  readonly limits: Limits;
  /** Process that started it, without which it ends. */
  readonly parent: number;
}

/** File descriptor on which a process says that it ends for its memory. */
export const MEMORY_FILE = 4;

/** Limits of one trial. */
export interface Limits {
  readonly seconds: number;
  /** Resident memory of its process, MB. */
  readonly megabytes: number;
}

/** To the process: run this trial. */
export interface RunMessage extends Trial {
  readonly attempt: number;
}

/** From the process. */
export type TrialMessage =
  /** It has loaded the study, in this version of the code. */
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
