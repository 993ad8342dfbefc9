/**
 * A surface of triangles. Vertex v is at `positions[3 v .. 3 v + 2]`, in metres; triangle t joins the vertices
 * `triangles[3 t .. 3 t + 2]`, counter-clockwise seen from outside.
 */
export interface TriangleMesh {
  /** x, y, z of every vertex. */
  positions: Float64Array;
  /** Three vertex indices a triangle. */
  triangles: Uint32Array;
  /** Red, green, blue in [0, 1] of every vertex, or of every triangle when `colorsOn` says so. */
  colors?: Float64Array;
  /** What `colors` belong to. Default `vertices`. */
  colorsOn?: 'vertices' | 'triangles';
  /** Names the mesh in messages. */
  name?: string;
}

/** How many vertices a mesh has. */
export function vertexCount(mesh: TriangleMesh): number {
  return mesh.positions.length / 3;
}

/** How many triangles a mesh has. */
export function triangleCount(mesh: TriangleMesh): number {
  return mesh.triangles.length / 3;
}

/** A problem with a mesh or a mesh file; the message says where it is, what was found, and what to do. */
export class MeshError extends Error {
  override readonly name = 'MeshError';
}

/** Message of anything that was thrown, for quoting a library's reason inside our own sentence. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
