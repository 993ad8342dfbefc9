import { GradsimError } from '@gradsim/base';
import { checkLooks } from './check-looks.ts';
import { elementsOf, nameOf } from './elements.ts';
import { type Mesh, vertexCount } from './mesh.ts';

/**
 * Checks that a mesh is usable: arrays of the right type and length; finite positions, colours and texture coordinates;
 * valid textures; at least one element; vertex indices in range.
 *
 * @example
 * checkMesh(await readMesh('banana.obj'));
 *
 * @throws GradsimError naming the mesh, the vertex or element, and the value.
 */
export function checkMesh(mesh: Mesh): void {
  if (typeof mesh !== 'object' || mesh === null)
    throw new GradsimError('mesh/not-a-mesh', `A mesh is needed, an object with positions, not ${String(mesh)}.`);
  const name = nameOf(mesh);
  const { key, noun, plural, size, vertices } = elementsOf(mesh);
  requireArray(mesh, 'positions', mesh.positions, 'Float64Array');
  requireArray(mesh, key, vertices, 'Uint32Array');
  if (mesh.positions.length % 3 || vertices.length % size) {
    throw new GradsimError(
      'mesh/wrong-size',
      `${name}: ${mesh.positions.length} values in positions and ${vertices.length} in ${key}.`,
      { field: key, hint: `There must be 3 a vertex and ${size} a ${noun}.` },
    );
  }
  if (vertices.length === 0)
    throw new GradsimError('mesh/nothing-in-mesh', `${name} has no ${plural}.`, { field: name });
  checkFinite(mesh.positions, (vertex, value) => `${name}: vertex ${vertex} has the coordinate ${value}`);
  if ('triangles' in mesh) {
    checkLooks(mesh);
  }
  const count = vertexCount(mesh);
  const wrong = vertices.findIndex((vertex) => vertex >= count);
  if (wrong >= 0) {
    throw new GradsimError(
      'mesh/no-such-vertex',
      `${name}: ${noun} ${Math.floor(wrong / size)} uses vertex ${vertices[wrong]}, but there are ${count} vertices, 0 to ${count - 1}.`,
    );
  }
}

/**
 * Checks that an array is a typed array, for callers in plain JavaScript: ordinary arrays lack some methods, and may
 * hold indices that are not numbers.
 */
function requireArray(mesh: Mesh, key: string, values: unknown, kind: string): void {
  const found = Object.prototype.toString.call(values).slice('[object '.length, -1);
  if (found !== kind)
    throw new GradsimError('mesh/wrong-type', `${nameOf(mesh)}: ${key} is ${found}, but must be a ${kind}.`, {
      field: key,
      hint: `Write ${kind}.from(...).`,
    });
}

function checkFinite(values: Float64Array, say: (element: number, value: number) => string): void {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at >= 0) {
    const axis = 'xyz'[at % 3];
    throw new GradsimError('mesh/not-finite', `${say(Math.floor(at / 3), values[at])} (${axis}).`, {
      hint: 'All must be finite numbers.',
    });
  }
}
