/** A face: its corners, the line of the file, and the index of its material, -1 for none. */
export interface ObjFace {
  readonly corners: readonly { readonly vertex: number; readonly place: number }[];
  readonly line: number;
  readonly material: number;
}

/** Contents of an .obj file, without the files that it names. */
export interface ObjFile {
  readonly positions: number[];
  /** Red, green, blue of each vertex; present only if all vertices have them. */
  readonly colors: number[];
  /** Texture coordinates (u, v) of each `vt` statement, v upwards from the bottom of the picture. */
  readonly places: number[];
  /** Faces in the order of the file; triangles are made of them at its end, when all vertices are known. */
  readonly faces: ObjFace[];
  readonly triangles: number[];
  /** For each triangle corner, the index of its texture coordinates in `places`, -1 if it has none. */
  readonly placeOf: number[];
  /** Line number of each triangle; `materialOf` is the index of its material in `materials`, -1 for none. */
  readonly lineOf: number[];
  readonly materialOf: number[];
  /** Line number at which each material is first used, by its name. */
  readonly materials: Map<string, number>;
  /** Names of the material files (.mtl). */
  readonly libraries: string[];
}
