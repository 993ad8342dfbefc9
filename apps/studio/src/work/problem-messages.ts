import type { Value } from '@gradsim/kinds';
import type { Estimate } from '@gradsim/optim';

/** Settings of an estimation. */
export interface StudioSettings {
  readonly kind: string;
  /** Address of the file of a kind of others. */
  readonly kindFile?: string;
  readonly file: File;
  readonly measured: Readonly<Record<string, Value>>;
}

/**
 * Position and size of the filmed object in each frame, the data that the estimate is compared with: px of the file's
 * pictures, frame by frame from the first frame that is used.
 */
export interface Observed {
  /** Three numbers per frame: x and y of the outline's centre, and the radius of the circle of equal area. */
  readonly outlines: readonly number[];
  /** True for frames in which the whole object is visible. */
  readonly isSeen: readonly boolean[];
  /** Times of the frames, s. */
  readonly times: readonly number[];
  /**
   * Frame that shows each picture, from the first that is used on; -1 after the last. Between pictures that are far apart
   * there are frames without one.
   */
  readonly frameOf: readonly number[];
  readonly camera: FilmingCamera;
}

/** Camera of the model before the search: rotation (x, y, z, w) and translation, m, into its axes x right, y down, z ahead. */
export interface FilmingCamera {
  readonly rotation: readonly number[];
  readonly translation: readonly number[];
  /** px. */
  readonly focalLength: number;
}

/** Messages of the worker to the page, and of the page to the worker, beside those of `estimateInWorker`. */
export type StudioReport =
  | { readonly studio: 'observed'; readonly observed: Observed }
  | { readonly studio: 'notes'; readonly notes: readonly string[] };
export interface NotesOrder {
  readonly studio: 'notes of';
  readonly estimate: Estimate;
}
