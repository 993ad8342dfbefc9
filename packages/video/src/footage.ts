import type { Transfer } from './color.ts';
import type { Region } from './region.ts';
import type { Rotation } from './upright.ts';
import type { ChromaPlace } from './yuv.ts';

/** Metadata of a file. */
export interface FilmInfo {
  /** Path, URL or a description of the source. */
  name: string;
  format: 'png' | 'gif' | 'mp4' | 'mov' | 'webm' | 'mkv';
  /** Codec, such as `avc` (H.264) or `vp9`; absent for images. */
  codec?: string;
  /** Width of the upright picture, in pixels. */
  width: number;
  /** Height of the upright picture, in pixels. */
  height: number;
  /** Width and height as stored, before rotation by the tag, in pixels. */
  stored: { width: number; height: number };
  rotation: Rotation;
  frameCount: number;
  /**
   * Mean frame rate by the file's own timestamps. The true one may differ: a slow-motion film plays slower than it was
   * taken. Absent for images, which have no timestamps.
   */
  frameRate?: number;
  /**
   * Intervals between neighbouring frames by those timestamps, s: the shortest and the longest. Absent for images and
   * GIFs.
   */
  steps?: { readonly shortest: number; readonly longest: number };
  /** Video track that is read, counted from 1, and the number of tracks; absent for images. */
  track?: { readonly number: number; readonly of: number };
  /** Transfer function from light to values. */
  transfer: Transfer;
}

/** An opened film whose pictures can be decoded. */
export interface Footage {
  readonly info: FilmInfo;
  /**
   * Yields upright pictures of the given ascending frame numbers, cropped to a region: red, green, blue, alpha in [0,
   * 1], row by row. The array is reused: copy it before taking the next.
   */
  pictures(indices: readonly number[], region: Region, chroma?: ChromaPlace): AsyncIterable<Float32Array>;
  /** Releases resources of reading; further calls do nothing. */
  close(): void;
}
