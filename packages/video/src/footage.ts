import type { Transfer } from './color.ts';
import type { Region } from './region.ts';
import type { Rotation } from './upright.ts';
import type { ChromaPlace } from './yuv.ts';

/** What a file says about itself. */
export interface FilmInfo {
  /** Path, URL or a description of the source. */
  name: string;
  format: 'png' | 'gif' | 'mp4' | 'mov' | 'webm' | 'mkv';
  /** Such as `avc` (H.264) or `vp9`; absent for images. */
  codec?: string;
  /** Width of the upright picture, in pixels. */
  width: number;
  /** Height of the upright picture, in pixels. */
  height: number;
  /** Width and height as stored, before the rotation tag is honoured. */
  stored: { width: number; height: number };
  rotation: Rotation;
  frameCount: number;
  /**
   * Mean frame rate by the file's own clock. The true one may differ: a slow-motion film plays slower than it was
   * taken. Absent for images, which have no clock.
   */
  frameRate?: number;
  /** Seconds between neighbouring frames by that clock: the least and the most. Absent for images and GIFs. */
  steps?: { readonly shortest: number; readonly longest: number };
  /** The video track that is read, counted from 1, of how many; absent for images. */
  track?: { readonly number: number; readonly of: number };
  /** Curve by which light was turned into values. */
  transfer: Transfer;
}

/** An opened film whose pictures can be decoded. */
export interface Footage {
  readonly info: FilmInfo;
  /**
   * Upright pictures of the given ascending frame numbers, cut to a region: red, green, blue, alpha in [0, 1], row by
   * row. The array is reused: copy what is needed before taking the next.
   */
  pictures(indices: readonly number[], region: Region, chroma?: ChromaPlace): AsyncIterable<Float32Array>;
  /** Gives back what reading it needs; more calls do nothing. */
  close(): void;
}
