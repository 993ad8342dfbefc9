import type { NumberedPicture, VideoInfo } from './formats/container/container.ts';
import type { Material } from './source/material.ts';
import type { ReadingLimits } from './source/watch.ts';

/** An opened video and its decoder. */
export interface VideoReader {
  readonly info: VideoInfo;
  /** Returns the number of frames decoded so far, including those not requested; undefined if unknown. */
  progressCount?(): number;
  /** Name of the external program that decodes, if one does. */
  readonly program?: string;
  /** Decodes frames `first` to `last` (inclusive) in presentation order, as stored: not rotated. */
  decode(range: { first: number; last: number }): AsyncIterable<NumberedPicture>;
  /** Ends the decoder, even while it is decoding; further calls do nothing. */
  close(): void;
}

/**
 * Functions that differ between Node and browsers. The conditions of `#platform` in package.json select the
 * implementation, so that bundlers for browsers never load a Node module.
 */
export interface Platform {
  /** Reads a file (Node) or a URL (browser): its first `limit` bytes if given, else all of it. */
  read(address: string, limit?: number): Promise<Uint8Array>;
  /** Returns whether there is a file of this name; false in browsers, which cannot tell. */
  isFile(address: string): Promise<boolean>;
  /**
   * Lists the images of a folder or of a pattern such as `frames/%04d.png`, in order; null if the address is neither.
   */
  listImages(address: string): Promise<string[] | null>;
  /** Writes files, each under a temporary name first; all are renamed at the end, so that none is left half written. */
  write(files: ReadonlyMap<string, Uint8Array>, options: { overwrite: boolean }): Promise<void>;
  /**
   * Opens a video file.
   * @throws GradsimError when it cannot be read, or makes no progress within the watch's patience.
   */
  openVideo(material: Material, watch: ReadingLimits): Promise<VideoReader>;
  /** Starts the decoder process, where decoding takes place in one (Node). */
  prepareDecoder(): void;
  /** Registers the codecs of optional packages with mediabunny; done once. */
  registerCodecs(): Promise<unknown>;
  /** Returns advice for a missing encoder of a codec: one or more whole sentences. */
  encoderAdvice(codec: string): string;
}
