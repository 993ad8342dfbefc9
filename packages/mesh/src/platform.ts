/** What differs between Node and browsers; the conditions of `#platform` in package.json pick the one to load. */
export interface Platform {
  /** All bytes of a file (Node) or of what a URL holds (browser). */
  read(address: string): Promise<Uint8Array>;
  /** The address of a file that lies beside another. */
  beside(address: string, uri: string): string;
  /** Writes a file under another name first, so that it is never half written. */
  write(path: string, bytes: Uint8Array, options: { overwrite: boolean }): Promise<void>;
}
