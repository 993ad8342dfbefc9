/** What differs between Node and browsers; the conditions of `#platform` in package.json pick the one to load. */
export interface Platform {
  /** All bytes of a file (Node) or of what a URL holds (browser). */
  read(address: string): Promise<Uint8Array>;
  /**
   * All bytes of a file that another names by a relative URI.
   * @throws when it is not in that one's folder or below, unless `allowOutside`.
   */
  readBeside(address: string, uri: string, options: { allowOutside: boolean }): Promise<Uint8Array>;
  /** Writes a file under another name first, so that it is never half written. */
  write(path: string, bytes: Uint8Array, options: { overwrite: boolean }): Promise<void>;
}
