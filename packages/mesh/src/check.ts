import { elementsOf, nameOf } from './elements.ts';
import { type Mesh, MeshError, type TriangleMesh, triangleCount, vertexCount } from './mesh.ts';

/**
 * Refuses a mesh that nothing can be done with: arrays of another kind or of a wrong length, positions or colours that
 * are not finite, no elements, vertex indices out of range.
 *
 * @example
 * checkMesh(await readMesh('banana.obj'));
 *
 * @throws MeshError naming the mesh, the vertex or element, and the value.
 */
export function checkMesh(mesh: Mesh): void {
  if (typeof mesh !== 'object' || mesh === null)
    throw new MeshError(`A mesh is needed, an object with positions, not ${String(mesh)}.`);
  const name = nameOf(mesh);
  const { key, noun, plural, size, vertices } = elementsOf(mesh);
  requireArray(mesh, 'positions', mesh.positions, 'Float64Array');
  requireArray(mesh, key, vertices, 'Uint32Array');
  if (mesh.positions.length % 3 || vertices.length % size) {
    throw new MeshError(
      `${name}: ${mesh.positions.length} values in positions and ${vertices.length} in ${key}; there must be 3 a ` +
        `vertex and ${size} a ${noun}.`,
    );
  }
  if (vertices.length === 0) throw new MeshError(`${name} has no ${plural}.`);
  checkFinite(mesh.positions, (vertex, value) => `${name}: vertex ${vertex} has the coordinate ${value}`);
  if ('triangles' in mesh) {
    checkColors(mesh);
    checkUvs(mesh);
  }
  const count = vertexCount(mesh);
  const wrong = vertices.findIndex((vertex) => vertex >= count);
  if (wrong >= 0) {
    throw new MeshError(
      `${name}: ${noun} ${Math.floor(wrong / size)} uses vertex ${vertices[wrong]}, but there are ` +
        `${count} vertices, 0 to ${count - 1}.`,
    );
  }
}

/** For programs without types: plain arrays lack what typed ones have, and may hold indices that are no numbers. */
function requireArray(mesh: Mesh, key: string, values: unknown, kind: string): void {
  const found = Object.prototype.toString.call(values).slice('[object '.length, -1);
  if (found !== kind)
    throw new MeshError(
      `${nameOf(mesh)}: ${key} is ${found}, but must be a ${kind}; write ${kind}.from(...).`,
    );
}

function checkFinite(values: Float64Array, say: (element: number, value: number) => string): void {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at >= 0) {
    const axis = 'xyz'[at % 3];
    throw new MeshError(`${say(Math.floor(at / 3), values[at])} (${axis}); all must be finite numbers.`);
  }
}

function checkUvs(mesh: TriangleMesh): void {
  if (!mesh.uvs) return;
  const count = triangleCount(mesh);
  if (mesh.uvs.length !== 6 * count)
    throw new MeshError(
      `${nameOf(mesh)}: ${mesh.uvs.length} values in uvs for ${count} triangles; there must be 6 each, u and v of three corners, ${6 * count}.`,
    );
  const at = Array.from(mesh.uvs).findIndex((value) => !Number.isFinite(value));
  if (at >= 0)
    throw new MeshError(
      `${nameOf(mesh)}: triangle ${Math.floor(at / 6)} has the texture coordinate ${mesh.uvs[at]}; all must be finite numbers.`,
    );
}

function checkColors(mesh: TriangleMesh): void {
  if (!mesh.colors) return;
  const on = mesh.colorsOn ?? 'vertices';
  const count = on === 'vertices' ? vertexCount(mesh) : triangleCount(mesh);
  if (mesh.colors.length !== 3 * count) {
    throw new MeshError(
      `${nameOf(mesh)}: ${mesh.colors.length} colour values for ${count} ${on}; there must be 3 each, ${3 * count}.`,
    );
  }
  checkFinite(
    mesh.colors,
    (element, value) => `${nameOf(mesh)}: the colour of ${on} ${element} holds ${value}`,
  );
}
