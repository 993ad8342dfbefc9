import { GradsimError, refuseUnknownOptions } from '@gradsim/base';
import { type TetMesh, vertexCount } from '../mesh.ts';
import { dropUnusedVertices } from '../topology/unused.ts';
import { parseDecimal } from './numbers.ts';

/**
 * Reads a `.tet` file: lines `v x y z` and `t a b c d`, indices from 0; comments (`#`) and links (`l`) are ignored.
 *
 * The format declares no counts. A file truncated between two lines is recognised by vertices that belong to no
 * tetrahedron; if only tetrahedra are missing whose vertices all belong to others too, it is not recognised.
 *
 * @param name of the file, for messages.
 * @param options `dropUnused` drops vertices that belong to no tetrahedron, for files known to be complete.
 *
 * @throws GradsimError with the line's number when a line is truncated or of no known kind, a value is no number, an
 * index is out of range, or a vertex belongs to no tetrahedron.
 *
 * @example
 * const gear = parseTet(await (await fetch('gear.tet')).text(), 'gear.tet');
 */
export function parseTet(
  text: string,
  name = 'TET',
  { dropUnused = false, ...others }: { dropUnused?: boolean } = {},
): TetMesh {
  refuseUnknownOptions('parseTet', others, { dropUnused: true });
  const positions: number[] = [];
  const tets: number[] = [];
  const lineOf: number[] = [];
  const lineOfVertex: number[] = [];
  text.split(/\r?\n/).forEach((line, k) => {
    const [kind, ...words] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (kind === '' || kind === 'l') return;
    if (kind !== 'v' && kind !== 't')
      throw new GradsimError(
        'mesh/file-invalid',
        `${name}, line ${k + 1}: "${kind.slice(0, 40)}" begins no line of a .tet file; v, t, l and # do.`,
      );
    const wanted = kind === 'v' ? 3 : 4;
    const numbers = words.map(parseDecimal);
    if (numbers.length !== wanted || numbers.some(Number.isNaN))
      throw new GradsimError(
        'mesh/file-invalid',
        `${name}, line ${k + 1}: "${line.trim()}" must be ${kind} and ${wanted} numbers.`,
      );
    if (kind === 'v') {
      positions.push(...numbers);
      lineOfVertex.push(k + 1);
    } else {
      tets.push(...numbers);
      lineOf.push(k + 1);
    }
  });
  const whole = { name, positions: Float64Array.from(positions), tets: Uint32Array.from(tets) };
  requireTets(name, tets, vertexCount(whole), lineOf);
  const { vertices, ...used } = dropUnusedVertices(whole);
  if (dropUnused || vertices.length === vertexCount(whole)) return used;
  const missing = vertices.findIndex((vertex, k) => vertex !== k);
  const unused = missing < 0 ? vertices.length : missing;
  throw new GradsimError(
    'mesh/unused-vertex',
    `${name}, line ${lineOfVertex[unused]}: vertex ${unused} is in no tetrahedron; the file may be cut short. If it is whole, read it with { dropUnused: true }.`,
  );
}

/**
 * Checks the vertex indices of tetrahedra before they are stored as unsigned integers.
 * @throws when there are no tetrahedra, or an index is out of range or not whole.
 */
function requireTets(name: string, tets: readonly number[], count: number, lineOf: readonly number[]): void {
  if (tets.length === 0)
    throw new GradsimError('mesh/nothing-in-mesh', `${name} has no tetrahedra; it may be cut short.`, { field: name });
  const wrong = tets.findIndex((vertex) => !(Number.isInteger(vertex) && vertex >= 0 && vertex < count));
  if (wrong < 0) return;
  const tet = Math.floor(wrong / 4);
  throw new GradsimError(
    'mesh/no-such-vertex',
    `${name}, line ${lineOf[tet]}: tetrahedron ${tet} uses vertex ${tets[wrong]}, but there are ${count} vertices, 0 to ${count - 1}.`,
  );
}
