/** Fetches a file that another names beside itself, by a relative URI: what a .gltf needs, or an .obj. */
export type ReadBeside = (uri: string) => Promise<Uint8Array>;

/** How a file of a mesh is read. */
export interface ReadOptions {
  /** Needed when the file names others beside it. */
  readBeside?: ReadBeside;
  /**
   * Whether colours and textures are read. Without them the shape is read alone, whatever the files of materials and
   * images hold, and whether or not they are there. Default true.
   */
  looks?: boolean;
}

/** What a message says to do where looks cannot be read. */
export const SHAPE_ALONE = 'or read the shape alone: looks: false';
