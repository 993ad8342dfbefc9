/** Fetches a file that a .gltf or .obj names by a relative URI. */
export type ReadBeside = (uri: string) => Promise<Uint8Array>;

/** Options of reading a mesh. */
export interface ReadOptions {
  /** Fetches a file that the mesh file names; needed if it names any. */
  readBeside?: ReadBeside;
  /**
   * True to read colours and textures. Otherwise only the shape is read, and files of materials and images are
   * neither needed nor opened. Default true.
   */
  looks?: boolean;
}

/** End of messages about unsupported looks: advice to read only the shape. */
export const SHAPE_ALONE = 'or read the shape alone: looks: false';
