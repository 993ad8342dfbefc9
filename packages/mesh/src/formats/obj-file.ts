/** What an .obj says itself. */
export interface ObjFile {
  readonly positions: number[];
  /** Of vertices; of all or none. */
  readonly colors: number[];
  /** (u, v) of each `vt`, v from the bottom. */
  readonly places: number[];
  readonly triangles: number[];
  /** Of each corner of a triangle its `vt`, -1 where it names none. */
  readonly placeOf: number[];
  /** Of each triangle its line, and its material as a number in `materials`, -1 for none. */
  readonly lineOf: number[];
  readonly materialOf: number[];
  /** The line that first uses each. */
  readonly materials: Map<string, number>;
  /** Files of materials. */
  readonly libraries: string[];
}
