import type { Study } from '@gradsim/study';
import type { Sources } from '../modules/sources.ts';

/** Source of a study, as data that a child process or another machine can be given. */
export type StudySource =
  /** A module whose default export is a study. */
  | { readonly study: string }
  /** An experiment that is estimated on a film a trial. */
  | { readonly experiment: string };

/** A study with its source. */
export interface LoadedStudy {
  readonly study: Study<object, unknown>;
  readonly sources: Sources;
  /** Hash of the sources: results of different versions must not be mixed. */
  readonly code: string;
  /** Folder that the study's experiment paths are relative to. */
  readonly folder: string;
}
