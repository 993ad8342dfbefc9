/**
 * What all meshes have. Vertex v is at `positions[3 v .. 3 v + 2]`, in metres; elements name their vertices one after
 * another, so element e of n vertices joins `[n e .. n e + n - 1]` of its array.
 */
interface Vertices {
  /** x, y, z of every vertex. */
  readonly positions: Float64Array;
  /** Names the mesh in messages. */
  readonly name?: string;
}

/** Points joined by lines, such as a rope, a net, a lattice of springs. */
export interface LineMesh extends Vertices {
  /** Two vertex indices a line. */
  readonly lines: Uint32Array;
}

/** A surface of triangles. */
export interface TriangleMesh extends Vertices {
  /** Three vertex indices a triangle, counter-clockwise seen from outside. */
  readonly triangles: Uint32Array;
  /** Red, green, blue in [0, 1] of every vertex, or of every triangle when `colorsOn` says so. */
  readonly colors?: Float64Array;
  /** What `colors` belong to. Default `vertices`. */
  readonly colorsOn?: 'vertices' | 'triangles';
  /** Pictures by which colours are multiplied; with them, `uvs`. */
  readonly textures?: readonly Texture[];
  /** Which of the textures each triangle has. Default the first. */
  readonly triangleTextures?: ArrayLike<number>;
  /**
   * Texture coordinates (u, v) of the three corners of every triangle, six numbers each, from (0, 0) at the upper left of
   * the texture to (1, 1) at the lower right.
   */
  readonly uvs?: ArrayLike<number>;
}

/** A picture that is laid over triangles. */
export interface Texture {
  /** Texels across and down. */
  readonly width: number;
  readonly height: number;
  /** Red, green, blue in [0, 1] of every texel, row by row from the top. */
  readonly colors: ArrayLike<number>;
  /** What lies beyond its rim: the same again, or what the rim shows. Default `repeat`. */
  readonly wrap?: 'repeat' | 'clamp';
}

/** A volume of tetrahedra. */
export interface TetMesh extends Vertices {
  /**
   * Four vertex indices a tetrahedron, of positive volume (x1 - x0) . ((x2 - x0) x (x3 - x0)) / 6: the first three turn
   * counter-clockwise seen from the fourth.
   */
  readonly tets: Uint32Array;
}

/** Any mesh. Functions that take this do the same for all kinds. */
export type Mesh = LineMesh | TriangleMesh | TetMesh;

/** How many vertices a mesh has. */
export function vertexCount(mesh: Mesh): number {
  return mesh.positions.length / 3;
}

/** How many lines a mesh has. */
export function lineCount(mesh: LineMesh): number {
  return mesh.lines.length / 2;
}

/** How many triangles a mesh has. */
export function triangleCount(mesh: TriangleMesh): number {
  return mesh.triangles.length / 3;
}

/** How many tetrahedra a mesh has. */
export function tetCount(mesh: TetMesh): number {
  return mesh.tets.length / 4;
}

/** A problem with a mesh or a mesh file; the message says where it is, what was found, and what to do. */
export class MeshError extends Error {
  override readonly name = 'MeshError';
}

/** Message of anything that was thrown, for quoting a library's reason inside our own sentence. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
