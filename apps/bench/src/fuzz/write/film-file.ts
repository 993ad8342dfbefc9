import type { Frames } from '@gradsim/video';
import type { Draw } from '../draw.ts';

export type FilmFormat = 'png' | 'png sequence' | 'gif' | 'webm' | 'mp4';

/** A whole film that is known. */
export interface FilmFile {
  readonly format: FilmFormat;
  readonly about: string;
  /** A file, or the images of a sequence. */
  readonly sources: readonly Uint8Array[];
  /** Number of bytes of a source that cannot be left out. */
  readonly essential: number;
  readonly film: Frames;
  /** Root mean square of what the format loses. */
  readonly tolerance: number;
  /** True where any change of a byte shows. */
  readonly hasChecksums: boolean;
  /** Ways to have a source say another number than it holds. */
  readonly counts?: readonly {
    readonly about: string;
    readonly apply: (source: Uint8Array, random: Draw) => Uint8Array;
  }[];
}
