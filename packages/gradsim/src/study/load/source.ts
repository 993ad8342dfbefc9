import type { Sources } from '../../modules/sources.ts';
import type { Study } from '../define/index.ts';

/**
 * Name of a study's module, or of an experiment to estimate on films, as plain data for a child process or another
 * machine.
 */
export type StudySource =
  /** A module whose default export is a study. */
  | { readonly study: string }
  /** An experiment that is estimated on a film a trial. */
  | { readonly experiment: string }
  /** A kind that is estimated on the films of a sheet, each with what was measured beside it. */
  | { readonly kind: string };

/** A study with its source. */
export interface LoadedStudy {
  readonly study: Study<object, unknown>;
  readonly sources: Sources;
  /** Hash of the study's sources; results of different hashes must not be mixed. */
  readonly code: string;
  /** Folder to which paths of experiments in the study are relative. */
  readonly folder: string;
}
