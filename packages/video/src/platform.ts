import type { NumberedPicture, VideoInfo } from './container.ts';
import type { Material } from './material.ts';
import type { Watch } from './watch.ts';

/** An opened video. */
export interface VideoReader {
  readonly info: VideoInfo;
  /** Returns the number of frames decoded so far, including those not requested; undefined if unknown. */
  signs?(): number;
  /** Name of the external program that decodes, if any. */
  readonly program?: string;
  /** Decodes the frames `first` to `last`, in presentation order, as stored: not rotated. */
  decode(range: { first: number; last: number }): AsyncIterable<NumberedPicture>;
  /** Ends the decoder, whatever it is doing; further calls do nothing. */
  close(): void;
}

/**
 * Differences between Node and browsers. The conditions of `#platform` in package.json select the implementation, so
 * that no bundler for browsers ever meets a Node module.
 */
export interface Platform {
  /** Reads the first `limit` bytes, or all bytes, of a file (Node) or a URL (browser). */
  read(address: string, limit?: number): Promise<Uint8Array>;
  /** Lists the images of a folder or of a pattern such as `frames/%04d.png`, in order; null for anything else. */
  listImages(address: string): Promise<string[] | null>;
  /** Writes each file under a temporary name first and renames all at the end, so that none is left half written. */
  write(files: ReadonlyMap<string, Uint8Array>, options: { overwrite: boolean }): Promise<void>;
  /**
   * Opens a container.
   * @throws GradsimError when it cannot be read, or nothing comes from it within the watch's patience.
   */
  openVideo(material: Material, watch: Watch): Promise<VideoReader>;
  /** Starts the decoder, if that is a process of its own. */
  prepareDecoder(): void;
  /** Registers the codecs of optional packages with mediabunny; done once. */
  registerCodecs(): Promise<void>;
  /** Returns advice for a missing encoder of a codec: one or more whole sentences. */
  encoderAdvice(codec: string): string;
}
