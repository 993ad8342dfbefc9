import type { Frames } from '@gradsim/video';
import type { Draw } from '../draw.ts';

export type FilmFormat = 'png' | 'png sequence' | 'jpeg sequence' | 'gif' | 'webm' | 'mp4' | 'avi';

/** A valid film file with known content. */
export interface FilmFile {
  readonly format: FilmFormat;
  readonly about: string;
  /** Bytes of the file, or of each image of a sequence. */
  readonly sources: readonly Uint8Array[];
  /** Length of the leading part of a source without which it cannot be read, bytes. */
  readonly essential: number;
  readonly film: Frames;
  /** Maximum root mean square error of values from 0 to 1 that the format's compression causes. */
  readonly tolerance: number;
  /** True if any changed byte is detected. */
  readonly hasChecksums: boolean;
  /** Ways to make a source declare a size or count other than it contains. */
  readonly counts?: readonly {
    readonly about: string;
    readonly apply: (source: Uint8Array, random: Draw) => Uint8Array;
  }[];
}
