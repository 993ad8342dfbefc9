import type { Study } from '@gradsim/study';
import type { Sources } from '../modules/sources.ts';

/** Where a study comes from, as data that a child process or another machine can be given. */
export type StudySource =
  /** A module whose default export is a study. */
  | { readonly study: string }
  /** An experiment that is estimated on a film a trial. */
  | { readonly experiment: string };

/** A study with what it was loaded from. */
export interface LoadedStudy {
  readonly study: Study<object, unknown>;
  readonly sources: Sources;
  /** Hash of the sources: results of one version are not those of another. */
  readonly code: string;
  /** Folder from which the study names its experiments. */
  readonly folder: string;
}
