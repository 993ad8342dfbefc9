/** Contents of an .obj, without the files that it names. */
export interface ObjFile {
  readonly positions: number[];
  /** Colours of vertices; of all or none. */
  readonly colors: number[];
  /** Texture coordinates (u, v) of each `vt`, v from the bottom. */
  readonly places: number[];
  readonly triangles: number[];
  /** Index of each triangle corner's `vt`, -1 if it has none. */
  readonly placeOf: number[];
  /** Line of each triangle, and the index of its material in `materials`, -1 for none. */
  readonly lineOf: number[];
  readonly materialOf: number[];
  /** First line that uses each material. */
  readonly materials: Map<string, number>;
  /** Files of materials. */
  readonly libraries: string[];
}
