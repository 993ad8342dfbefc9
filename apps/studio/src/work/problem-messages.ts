import type { Value } from '@gradsim/kinds';
import type { Estimate } from '@gradsim/optim';
import type { ObservedMotion } from '../../../../packages/gradsim/src/experiment/motion/observed.ts';

/** Settings of an estimation. */
export interface StudioSettings {
  readonly kind: string;
  /** Address of the file of a kind of others. */
  readonly kindFile?: string;
  readonly file: File;
  readonly measured: Readonly<Record<string, Value>>;
}

/** Observations that the estimate is compared with, frame by frame from the first that is used. */
export interface ObservedFrames extends ObservedMotion {
  /**
   * Frame that shows each picture, from the first that is used on; -1 after the last. Between pictures that are far apart
   * there are frames without one.
   */
  readonly frameOf: readonly number[];
}

/** Messages of the worker to the page, and of the page to the worker, beside those of `estimateInWorker`. */
export type StudioReport =
  | { readonly studio: 'observed'; readonly observed: ObservedFrames }
  | { readonly studio: 'notes'; readonly notes: readonly string[] };
export interface NotesOrder {
  readonly studio: 'notes of';
  readonly estimate: Estimate;
}
