import { cornersOf } from '../elements.ts';
import { MeshError, type TriangleMesh, triangleCount } from '../mesh.ts';
import { cross, minus, norm, type Vector } from '../vector.ts';
import { weldMesh } from '../weld.ts';

const headerLength = 84;
const triangleLength = 50;

/**
 * Reads STL, binary or ASCII. The format repeats every vertex for each of its triangles; equal ones are welded, so
 * that a closed surface comes out closed. Stored normals are passed over: the order of the corners says the outside.
 *
 * @throws MeshError naming the file and the byte or line at which it is cut short or wrong.
 */
export function parseStl(bytes: Uint8Array, name = 'STL'): TriangleMesh {
  const soup = isBinary(bytes) ? parseBinary(bytes, name) : parseAscii(new TextDecoder().decode(bytes), name);
  if (soup.length === 0) throw new MeshError(`${name} holds no triangles: is it an STL file, and complete?`);
  const at = soup.findIndex((value) => !Number.isFinite(value));
  if (at >= 0) {
    throw new MeshError(
      `${name}: triangle ${Math.floor(at / 9)} has the coordinate ${soup[at]}; all must be finite.`,
    );
  }
  return weldMesh({
    name,
    positions: soup,
    triangles: Uint32Array.from(soup.subarray(0, soup.length / 3).keys()),
  });
}

/** ASCII files start with `solid`, but so do some binary ones, whose length says what they are. */
function isBinary(bytes: Uint8Array): boolean {
  if (bytes.length >= headerLength) {
    const count = new DataView(bytes.buffer, bytes.byteOffset).getUint32(80, true);
    if (bytes.length === headerLength + triangleLength * count) return true;
  }
  return new TextDecoder().decode(bytes.subarray(0, 5)) !== 'solid';
}

function parseBinary(bytes: Uint8Array, name: string): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length >= headerLength ? view.getUint32(80, true) : 0;
  const needed = headerLength + triangleLength * count;
  if (bytes.length < needed || count === 0) {
    throw new MeshError(
      `${name} is no complete STL file: it has ${bytes.length} bytes, but its header asks for ${needed} ` +
        `(${count} triangles). Export it again.`,
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

function parseAscii(text: string, name: string): Float64Array {
  const soup: number[] = [];
  const lines = text.split(/\r?\n/);
  lines.forEach((line, i) => {
    const words = line.trim().split(/\s+/);
    if (words[0] === 'vertex') {
      const values = words.slice(1).map(Number);
      if (values.length !== 3 || values.some((value) => !Number.isFinite(value))) {
        throw new MeshError(`${name}, line ${i + 1}: "${line.trim()}" is not a vertex of 3 finite numbers.`);
      }
      soup.push(...values);
    } else if (words[0] === 'endloop' && soup.length % 9 !== 0) {
      throw new MeshError(
        `${name}, line ${i + 1}: a facet does not have 3 vertices; STL holds triangles only.`,
      );
    }
  });
  if (soup.length % 9 !== 0 || !/endsolid/.test(text)) {
    throw new MeshError(
      `${name} is cut short at line ${lines.length}: there is no endsolid. Export it again.`,
    );
  }
  return Float64Array.from(soup);
}

/**
 * The mesh as binary STL. Positions are rounded to single precision, colours are lost; both are limits of the format.
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

/** The mesh as ASCII STL, with every digit of its positions. */
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
  const n = cross(minus(b, a), minus(c, a));
  const length = norm(n) || 1;
  return n.map((x) => x / length);
}
