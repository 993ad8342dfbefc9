import type { TetMesh, TriangleMesh } from '@gradsim/mesh';
import type { Draw } from '../draw.ts';

export type MeshFormat = 'obj' | 'stl' | 'glb' | 'gltf' | 'tet' | 'msh';

/** A valid mesh file with known content. */
export interface MeshFile {
  readonly format: MeshFormat;
  readonly about: string;
  readonly bytes: Uint8Array;
  /** Number of bytes at its start that cannot be missing. */
  readonly essential: number;
  readonly isText: boolean;
  /** Positions of the corners of its elements, x, y, z one after another, and their precision, as a part of the largest. */
  readonly corners: Float64Array;
  readonly precision: number;
  /** Ways to make it declare another number than it contains. */
  readonly counts?: readonly { readonly about: string; readonly apply: (random: Draw) => Uint8Array }[];
  /** Content of a JSON file, and the file of a changed one. */
  readonly json?: unknown;
  readonly rebuild?: (json: unknown) => Uint8Array;
  /** Further files that it refers to. */
  readonly beside?: Readonly<Record<string, Uint8Array>>;
}

/** Fields that all mesh files share. */
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
