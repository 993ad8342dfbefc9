/**
 * Base of all meshes. Vertex v is at `positions[3 v .. 3 v + 2]`, in metres; elements list their vertices, so element e
 * of n vertices has `[n e .. n e + n - 1]` of its array.
 */
interface Vertices {
  /** Coordinates x, y, z of every vertex. */
  readonly positions: Float64Array;
  /** Name of the mesh in messages. */
  readonly name?: string;
}

/** Points connected by lines, such as a rope, a net, a lattice of springs. */
export interface LineMesh extends Vertices {
  /** Two vertex indices per line. */
  readonly lines: Uint32Array;
}

/** A surface of triangles. */
export interface TriangleMesh extends Vertices {
  /** Three vertex indices per triangle, counter-clockwise seen from outside. */
  readonly triangles: Uint32Array;
  /** Red, green, blue in [0, 1] of every vertex, or of every triangle, by `colorsOn`. */
  readonly colors?: Float64Array;
  /** Owner of `colors`. Default `vertices`. */
  readonly colorsOn?: 'vertices' | 'triangles';
  /** Pictures that multiply colours; they need `uvs`. */
  readonly textures?: readonly Texture[];
  /** Texture number of each triangle. Default the first. */
  readonly triangleTextures?: ArrayLike<number>;
  /**
   * Texture coordinates (u, v) of the three corners of every triangle, six numbers each, from (0, 0) at the upper left
   * of the texture to (1, 1) at the lower right.
   */
  readonly uvs?: ArrayLike<number>;
}

/** A picture that is mapped onto triangles. */
export interface Texture {
  /** Width and height in texels. */
  readonly width: number;
  readonly height: number;
  /** Red, green, blue in [0, 1] of every texel, row by row from the top. */
  readonly colors: ArrayLike<number>;
  /** Extension beyond its border: repeated, or clamped. Default `repeat`. */
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

/** Any mesh; functions that take this work on all kinds. */
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

/** Returns the message of any thrown value, for quoting a library's reason. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
