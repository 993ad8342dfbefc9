/**
 * Base of all meshes. Vertex v is at `positions[3 v .. 3 v + 2]`, in metres. Elements are lists of vertex indices:
 * element e, of n vertices, is `[n e .. n e + n - 1]` of its array.
 */
interface Vertices {
  /** Coordinates x, y, z of every vertex, m, one vertex after another. */
  readonly positions: Float64Array;
  /** Name of the mesh in messages. */
  readonly name?: string;
}

/** Points joined by lines, such as a rope, a net or a lattice of springs. */
export interface LineMesh extends Vertices {
  /** Two vertex indices per line. */
  readonly lines: Uint32Array;
}

/** A surface of triangles. */
export interface TriangleMesh extends Vertices {
  /** Three vertex indices per triangle, counter-clockwise seen from outside. */
  readonly triangles: Uint32Array;
  /** Red, green, blue in [0, 1], linear light, of every vertex or of every triangle, see `colorsOn`. */
  readonly colors?: Float64Array;
  /** Owner of `colors`: `vertices` or `triangles`. Default `vertices`. */
  readonly colorsOn?: 'vertices' | 'triangles';
  /** Textures, whose colours multiply `colors`; they need `uvs`. */
  readonly textures?: readonly Texture[];
  /** Index in `textures` for each triangle. Default: the first texture for all. */
  readonly triangleTextures?: ArrayLike<number>;
  /**
   * Texture coordinates (u, v) of the three corners of every triangle, six numbers per triangle, from (0, 0) at the
   * upper left corner of the texture to (1, 1) at its lower right corner.
   */
  readonly uvs?: ArrayLike<number>;
}

/** A picture that is mapped onto triangles. */
export interface Texture {
  /** Width in texels; `height` is in texels too. */
  readonly width: number;
  readonly height: number;
  /** Red, green, blue in [0, 1], linear light, of every texel, row by row from the top. */
  readonly colors: ArrayLike<number>;
  /**
   * Colours beyond the texture's border: the texture repeated, or its outermost texels (`clamp`). Default
   * `repeat`.
   */
  readonly wrap?: 'repeat' | 'clamp';
}

/** A volume of tetrahedra. */
export interface TetMesh extends Vertices {
  /**
   * Four vertex indices per tetrahedron, of positive volume (x1 - x0) . ((x2 - x0) x (x3 - x0)) / 6: the first three
   * are counter-clockwise seen from the fourth.
   */
  readonly tets: Uint32Array;
}

/** Any kind of mesh: of lines, triangles or tetrahedra. */
export type Mesh = LineMesh | TriangleMesh | TetMesh;

/** Returns the number of vertices of a mesh. */
export function vertexCount(mesh: Mesh): number {
  return mesh.positions.length / 3;
}

/** Returns the number of lines of a mesh. */
export function lineCount(mesh: LineMesh): number {
  return mesh.lines.length / 2;
}

/** Returns the number of triangles of a mesh. */
export function triangleCount(mesh: TriangleMesh): number {
  return mesh.triangles.length / 3;
}

/** Returns the number of tetrahedra of a mesh. */
export function tetCount(mesh: TetMesh): number {
  return mesh.tets.length / 4;
}

/** Returns the message of any thrown value, so that it can be quoted. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
