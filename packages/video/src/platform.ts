import type { YuvPicture } from './yuv.ts';

/** A program that decodes what mediabunny cannot. */
export interface ExternalCodec {
  /**
   * Decodes the frames `first` to `last` of a file of these bytes, in the order shown, as stored: not rotated, of the
   * given size.
   */
  decode(
    bytes: Uint8Array,
    range: { first: number; last: number },
    size: { width: number; height: number },
  ): AsyncIterable<YuvPicture>;
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
  /** Makes the codecs of optional packages known to mediabunny; done once. */
  registerCodecs(): Promise<void>;
  /** A program to fall back on where mediabunny has no decoder. */
  externalCodec(): Promise<ExternalCodec | null>;
  /** What to do when a codec is missing: one or more whole sentences. */
  readonly codecAdvice: string;
}
