import type { Frames } from '@gradsim/video';
import type { Draw } from '../draw.ts';

export type FilmFormat = 'png' | 'png sequence' | 'gif' | 'webm' | 'mp4';

/** A valid film file with known content. */
export interface FilmFile {
  readonly format: FilmFormat;
  readonly about: string;
  /** A file, or the images of a sequence. */
  readonly sources: readonly Uint8Array[];
  /** Number of bytes at the start of a source that cannot be missing. */
  readonly essential: number;
  readonly film: Frames;
  /** Root mean square error of the format's compression, of values from 0 to 1. */
  readonly tolerance: number;
  /** True if any changed byte is detected. */
  readonly hasChecksums: boolean;
  /** Ways to make a source declare another number than it contains. */
  readonly counts?: readonly {
    readonly about: string;
    readonly apply: (source: Uint8Array, random: Draw) => Uint8Array;
  }[];
}
