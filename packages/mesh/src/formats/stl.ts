import { cross, GradsimError, norm, subtract, type Vector } from '@gradsim/base';
import { textOf } from '@gradsim/base/text';
import { cornersOf } from '../elements.ts';
import { type TriangleMesh, triangleCount } from '../mesh.ts';
import { weldMesh } from '../weld.ts';
import { parseDecimal } from './numbers.ts';

const headerLength = 84;
const triangleLength = 50;

/**
 * Reads STL, binary or ASCII. The format repeats a vertex for each of its triangles; equal ones are merged, so that a
 * closed surface is read as closed. Stored normals are ignored: the order of the corners determines the outside.
 *
 * @throws GradsimError naming the file and the byte or line at which it is truncated or wrong; when it has more bytes
 * than its declared number of triangles needs; when no triangle has an area.
 */
export function parseStl(bytes: Uint8Array, name = 'STL'): TriangleMesh {
  const soup = isBinary(bytes) ? parseBinary(bytes, name) : parseAscii(textOf(bytes), name);
  if (soup.length === 0)
    throw new GradsimError('mesh/nothing-in-mesh', `${name} holds no triangles: is it an STL file, and complete?`);
  const at = soup.findIndex((value) => !Number.isFinite(value));
  if (at >= 0) {
    throw new GradsimError(
      'mesh/not-finite',
      `${name}: triangle ${Math.floor(at / 9)} has the coordinate ${soup[at]}.`,
      { hint: 'All must be finite.' },
    );
  }
  const triangles = Uint32Array.from(soup.subarray(0, soup.length / 3).keys());
  const mesh = weldMesh({ name, positions: soup, triangles });
  if (mesh.triangles.length === 0) {
    throw new GradsimError(
      'mesh/degenerate-triangle',
      `${name}: all of its ${triangles.length / 3} triangles are single points or lines, so nothing is left of it.`,
    );
  }
  return mesh;
}

/**
 * Returns whether a file is binary STL. ASCII files start with `solid`, but so do some binary ones, which are
 * recognised by their length.
 */
function isBinary(bytes: Uint8Array): boolean {
  if (bytes.length >= headerLength) {
    const count = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(80, true);
    if (bytes.length === headerLength + triangleLength * count) return true;
  }
  return !/^\s*solid/i.test(textOf(bytes.subarray(0, 80)));
}

function parseBinary(bytes: Uint8Array, name: string): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length >= headerLength ? view.getUint32(80, true) : 0;
  const needed = headerLength + triangleLength * count;
  if (bytes.length < needed || count === 0) {
    throw new GradsimError(
      'mesh/file-damaged',
      `${name} is no complete STL file: it has ${bytes.length} bytes, but its header asks for ${needed} (${count} triangles).`,
      { field: name, hint: 'Export it again.' },
    );
  }
  if (bytes.length > needed) {
    throw new GradsimError(
      'mesh/file-damaged',
      `${name} says that it has ${count} triangles, which take ${needed} bytes, but has ${bytes.length} bytes: its count is wrong, or it is no STL file.`,
      { hint: 'Export it again.' },
    );
  }
  const soup = new Float64Array(9 * count);
  for (let t = 0; t < count; t++) {
    for (let i = 0; i < 9; i++) {
      soup[9 * t + i] = view.getFloat32(headerLength + triangleLength * t + 12 + 4 * i, true);
    }
  }
  return soup;
}

/** Keywords of the lines of a facet, in order. */
const FACET = ['facet', 'outer', 'vertex', 'vertex', 'vertex', 'endloop', 'endfacet'];

function parseAscii(text: string, name: string): Float64Array {
  const soup: number[] = [];
  const lines = text.split(/\r?\n/);
  /** Index in `FACET` of the next expected line; -1 outside of `solid` and `endsolid`. */
  let at = -1;
  lines.forEach((line, i) => {
    const [word, ...rest] = line.trim().split(/\s+/);
    const keyword = word.toLowerCase();
    if (keyword === '') return;
    const fail = (what: string): never => {
      throw new GradsimError('mesh/file-invalid', `${name}, line ${i + 1}: ${what}`);
    };
    if (at === -1) {
      if (keyword !== 'solid') fail(`"${word.slice(0, 40)}" stands where solid begins a mesh.`);
      at = 0;
    } else if (at === 0 && keyword === 'endsolid') {
      at = -1;
    } else if (keyword !== FACET[at]) {
      const due = at === 0 ? 'facet or endsolid' : FACET[at];
      fail(`"${word.slice(0, 40)}" stands where ${due} is due; STL holds facets of 3 vertices only.`);
    } else {
      if (keyword === 'vertex') soup.push(...verticesOf(rest, line, fail));
      at = (at + 1) % FACET.length;
    }
  });
  if (at !== -1) {
    throw new GradsimError('mesh/file-damaged', `${name} is cut short at line ${lines.length}: there is no endsolid.`, {
      field: name,
      hint: 'Export it again.',
    });
  }
  return Float64Array.from(soup);
}

function verticesOf(words: readonly string[], line: string, fail: (what: string) => never): number[] {
  const values = words.map(parseDecimal);
  if (values.length !== 3 || values.some(Number.isNaN))
    fail(`"${line.trim().slice(0, 80)}" is not a vertex of 3 finite numbers.`);
  return values;
}

/**
 * Returns the mesh as the bytes of a binary STL. Positions are rounded to single precision and colours are lost, which
 * are limits of the format.
 */
export function formatStl(mesh: TriangleMesh): Uint8Array {
  const count = triangleCount(mesh);
  const bytes = new Uint8Array(headerLength + triangleLength * count);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, count, true);
  for (let t = 0; t < count; t++) {
    const corners = cornersOf(mesh, t);
    [normal(corners), ...corners].forEach((vector, k) => {
      for (let axis = 0; axis < 3; axis++) {
        view.setFloat32(headerLength + triangleLength * t + 12 * k + 4 * axis, vector[axis], true);
      }
    });
  }
  return bytes;
}

/** Returns the mesh as the text of an ASCII STL, with every digit of its positions. */
export function formatAsciiStl(mesh: TriangleMesh): string {
  const name = mesh.name ?? 'mesh';
  const lines = [`solid ${name}`];
  for (let t = 0; t < triangleCount(mesh); t++) {
    const corners = cornersOf(mesh, t);
    lines.push(` facet normal ${normal(corners).join(' ')}`, '  outer loop');
    for (const corner of corners) lines.push(`   vertex ${corner.join(' ')}`);
    lines.push('  endloop', ' endfacet');
  }
  lines.push(`endsolid ${name}`, '');
  return lines.join('\n');
}

function normal([a, b, c]: readonly Vector[]): number[] {
  const n = cross(subtract(b, a), subtract(c, a));
  const length = norm(n) || 1;
  return n.map((x) => x / length);
}
