import type { Transfer } from '../frames/color.ts';
import type { Region } from '../frames/region.ts';
import type { QuarterTurn } from '../frames/upright.ts';
import type { ChromaPlace } from './yuv.ts';

/** Containers that only the program ffmpeg opens. */
export type ForeignFormat = 'avi' | 'asf' | 'flv' | 'ogg' | 'mpeg-ps' | 'mpeg-ts';

/** Metadata of a film. */
export interface FilmInfo {
  /** Path or URL of the film, or a description of another source. */
  name: string;
  format: 'png' | 'jpeg' | 'gif' | 'mp4' | 'mov' | 'webm' | 'mkv' | ForeignFormat;
  /** Codec, such as `avc` (H.264) or `vp9`; absent for images. */
  codec?: string;
  /** Width of the upright picture, in pixels. */
  width: number;
  /** Height of the upright picture, in pixels. */
  height: number;
  /** Width and height of the picture as stored, before the file's rotation tag is applied, in pixels. */
  stored: { width: number; height: number };
  rotation: QuarterTurn;
  /** True if the stored picture is mirrored left to right after `rotation`, as films of some front cameras are. */
  isMirrored?: boolean;
  frameCount: number;
  /**
   * Mean frame rate by the file's timestamps, frames per second; of frames at uneven times, by the interval that is usual
   * between two. The true rate may differ: a slow-motion film plays slower than it was recorded. Absent for images, which
   * have no timestamps.
   */
  frameRate?: number;
  /**
   * Times of the frames by the file's timestamps, s, from the first, if they are not even: if they spread about a line by
   * more than the rounding of the timestamps and by more than a two hundredth of a frame interval.
   */
  times?: readonly number[];
  /** Resolution of the file's timestamps, s. Absent for images. */
  resolution?: number;
  /**
   * Shortest and longest interval between consecutive frames by the file's timestamps, s. Absent for images and GIFs.
   */
  steps?: { readonly shortest: number; readonly longest: number };
  /** Number of the video track that is read, counted from 1, and how many there are; absent for images. */
  track?: { readonly number: number; readonly of: number };
  /** Transfer function from linear light to the film's values. */
  transfer: Transfer;
}

/**
 * Writes a region of a picture as red, green, blue, alpha in [0, 1] of each pixel, row by row. Only what is read is
 * converted.
 */
export type PictureReader = (region: Region, into: Float32Array) => void;

/** An opened film: its metadata, and access to its pictures. */
export interface Footage {
  readonly info: FilmInfo;
  /** Yields the upright pictures of the given ascending frame numbers, each to be read before the next one. */
  pictures(indices: readonly number[], chroma?: ChromaPlace): AsyncIterable<PictureReader>;
  /** Releases the file and its decoder; further calls do nothing. */
  close(): void;
}
