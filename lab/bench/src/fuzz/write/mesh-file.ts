import type { TetMesh, TriangleMesh } from '@gradsim/mesh';
import type { Draw } from '../draw.ts';

export type MeshFormat = 'obj' | 'stl' | 'glb' | 'gltf' | 'tet' | 'msh';

/** A valid mesh file with known content. */
export interface MeshFile {
  readonly format: MeshFormat;
  readonly about: string;
  readonly bytes: Uint8Array;
  /** Length of the leading part without which the file cannot be read, bytes. */
  readonly essential: number;
  readonly isText: boolean;
  /**
   * Corner positions of the triangles or tetrahedra, one after another, `[corner][x, y, z]`, and their precision
   * relative to the largest.
   */
  readonly corners: Float64Array;
  readonly precision: number;
  /** Ways to make the file declare a count other than it contains. */
  readonly counts?: readonly { readonly about: string; readonly apply: (random: Draw) => Uint8Array }[];
  /** Content of a file in JSON, and a function that writes the file from changed content. */
  readonly json?: unknown;
  readonly rebuild?: (json: unknown) => Uint8Array;
  /** Contents of further files that the mesh file refers to, by name. */
  readonly beside?: Readonly<Record<string, Uint8Array>>;
}

/** Returns the fields that mesh files of all formats have. */
export function described(
  format: MeshFormat,
  mesh: TriangleMesh | TetMesh,
  bytes: Uint8Array,
  precision: number,
): Omit<MeshFile, 'isText'> {
  const elements = 'tets' in mesh ? mesh.tets : mesh.triangles;
  const corners = new Float64Array(3 * elements.length);
  elements.forEach((vertex, k) => corners.set(mesh.positions.subarray(3 * vertex, 3 * vertex + 3), 3 * k));
  return { format, about: `a ${mesh.name}`, bytes, essential: bytes.length, corners, precision };
}
