/** Fetches a file named by another, by a relative URI: needed by .gltf and .obj. */
export type ReadBeside = (uri: string) => Promise<Uint8Array>;

/** Options of reading a mesh. */
export interface ReadOptions {
  /** Fetches other files; needed if the file names any. */
  readBeside?: ReadBeside;
  /**
   * True to read colours and textures. Otherwise only the shape is read, and files of materials and images are neither
   * needed nor opened. Default true.
   */
  looks?: boolean;
}

/** Advice in messages about unreadable looks. */
export const SHAPE_ALONE = 'or read the shape alone: looks: false';
