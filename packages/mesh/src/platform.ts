/**
 * File access and compression, which differ between Node and browsers; the conditions of `#platform` in package.json select the
 * implementation.
 */
export interface Platform {
  /** Reads all bytes of a file (Node) or a URL (browser). */
  read(address: string): Promise<Uint8Array>;
  /**
   * Reads all bytes of a file that another file names by a relative URI.
   * @throws when it is outside that other file's folder, unless `allowOutside`.
   */
  readBeside(address: string, uri: string, options: { allowOutside: boolean }): Promise<Uint8Array>;
  /** Writes a file under a temporary name and then renames it, so that it is never half written. */
  write(path: string, bytes: Uint8Array, options: { overwrite: boolean }): Promise<void>;
  /** Compresses bytes, which may be of any lengths, on another thread: in the format of zlib, RFC 1950. */
  deflate(bytes: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Uint8Array[]>;
}
