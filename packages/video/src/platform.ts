import type { NumberedPicture, VideoInfo } from './container.ts';
import type { Material } from './material.ts';
import type { Watch } from './watch.ts';

/** An opened video. */
export interface VideoReader {
  readonly info: VideoInfo;
  /** Counts frames that have been decoded, also those that are not wanted; nothing where it is not known. */
  signs?(): number;
  /** Names the program that decodes, where it is one of the machine's. */
  readonly program?: string;
  /** Decodes the frames `first` to `last`, in the order shown, as stored: not rotated. */
  decode(range: { first: number; last: number }): AsyncIterable<NumberedPicture>;
  /** Ends what decodes it, whatever that is doing; more calls do nothing. */
  close(): void;
}

/**
 * What differs between Node and browsers. The conditions of `#platform` in package.json pick the one to load, so
 * that no bundler for browsers ever meets a Node module.
 */
export interface Platform {
  /** The first `limit` bytes, or all bytes, of a file (Node) or of what a URL holds (browser). */
  read(address: string, limit?: number): Promise<Uint8Array>;
  /** The images of a folder or of a pattern such as `frames/%04d.png`, in order; null for anything else. */
  listImages(address: string): Promise<string[] | null>;
  /** Writes each file under another name first and renames all at the end, so that none is left half written. */
  write(files: ReadonlyMap<string, Uint8Array>, options: { overwrite: boolean }): Promise<void>;
  /**
   * Opens a container.
   * @throws VideoError when it cannot be read, or nothing comes from it within the watch's patience.
   */
  openVideo(material: Material, watch: Watch): Promise<VideoReader>;
  /** Starts what decodes videos where that is a process of its own. */
  prepareDecoder(): void;
  /** Makes the codecs of optional packages known to mediabunny; done once. */
  registerCodecs(): Promise<void>;
  /** What to do when the encoder for a codec is missing: one or more whole sentences. */
  encoderAdvice(codec: string): string;
}
