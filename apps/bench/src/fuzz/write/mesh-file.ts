import type { TetMesh, TriangleMesh } from '@gradsim/mesh';
import type { Draw } from '../draw.ts';

export type MeshFormat = 'obj' | 'stl' | 'glb' | 'gltf' | 'tet' | 'msh';

/** A whole file of a mesh that is known. */
export interface MeshFile {
  readonly format: MeshFormat;
  readonly about: string;
  readonly bytes: Uint8Array;
  /** Number of its bytes that cannot be left out. */
  readonly essential: number;
  readonly isText: boolean;
  /** Positions of the corners of its elements, x, y, z one after another, and their precision, as a part of the largest. */
  readonly corners: Float64Array;
  readonly precision: number;
  /** Ways to have it say another number than it holds. */
  readonly counts?: readonly { readonly about: string; readonly apply: (random: Draw) => Uint8Array }[];
  /** Content of a JSON file, and the file of a changed one. */
  readonly json?: unknown;
  readonly rebuild?: (json: unknown) => Uint8Array;
  /** Files that it names. */
  readonly beside?: Readonly<Record<string, Uint8Array>>;
}

/** Parts of all files. */
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
