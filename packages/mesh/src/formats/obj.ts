/*
 * Why readers of our own for OBJ and STL: the kept libraries (three's loaders, @loaders.gl/obj) expand a file into
 * one vertex for every corner, in single precision. That loses the shared vertices by which a solid is known to be
 * closed, the indices that errors should name, and half of the digits of the inertia. glTF, which is a large format,
 * is read with a library.
 */
import { MeshError, type TriangleMesh, triangleCount, vertexCount } from '../mesh.ts';
import { decimal } from './numbers.ts';

/** Keywords that say nothing of the surface's shape: coordinates of textures, normals, groups, materials, lines, points. */
const PASSED_OVER = new Set(
  (
    'vt vn g s o mg usemtl mtllib usemap maplib l p ' +
    'bevel c_interp d_interp lod shadow_obj trace_obj ctech stech call csh'
  ).split(' '),
);
/** Those of curved surfaces, which are not triangles. */
const CURVED = new Set('vp deg bmat step cstype curv curv2 surf parm trim hole scrv sp end con'.split(' '));

/**
 * Reads Wavefront OBJ: vertices (with colours, if all have them) and faces. Faces of more than three corners are cut
 * into a fan. Texture coordinates, normals, groups, materials, lines and points are passed over.
 *
 * @throws MeshError naming the file, the line and what is wrong with it: numbers that are none, references to nothing,
 * words that are no keyword, curved surfaces.
 *
 * @example
 * const mesh = parseObj(await (await fetch('duck.obj')).text(), 'duck.obj');
 */
export function parseObj(text: string, name = 'OBJ'): TriangleMesh {
  const positions: number[] = [];
  const colors: number[] = [];
  const triangles: number[] = [];
  // Faces may use vertices of later lines, so references are checked at the end.
  const lineOf: number[] = [];
  for (const [line, number] of statements(text)) {
    const [keyword, ...words] = line.replace(/#.*/, '').trim().split(/\s+/);
    const where = `${name}, line ${number}`;
    if (keyword === 'v') {
      const values = words.map((word) => parseNumber(word, where));
      if (![3, 4, 6, 7].includes(values.length)) {
        throw new MeshError(
          `${where}: a vertex has 3 coordinates (and 3 colours), not ${values.length} values.`,
        );
      }
      positions.push(...values.slice(0, 3));
      if (values.length >= 6) colors.push(...values.slice(-3));
    } else if (keyword === 'f') {
      const corners = words.map((word) => parseReference(word, positions.length / 3, where));
      if (corners.length < 3)
        throw new MeshError(`${where}: a face has at least 3 corners, not ${corners.length}.`);
      for (let k = 1; k + 1 < corners.length; k++) {
        triangles.push(corners[0], corners[k], corners[k + 1]);
        lineOf.push(number);
      }
    } else if (CURVED.has(keyword)) {
      throw new MeshError(`${where}: "${keyword}" is of a curved surface; export it as polygons.`);
    } else if (keyword !== '' && !PASSED_OVER.has(keyword)) {
      throw new MeshError(`${where}: "${keyword.slice(0, 40)}" is no keyword of OBJ; is this an OBJ file?`);
    }
  }
  const count = positions.length / 3;
  triangles.forEach((vertex, i) => {
    if (vertex >= count) {
      throw new MeshError(
        `${name}, line ${lineOf[Math.floor(i / 3)]}: the face uses vertex ${vertex + 1}, but the file has ${count}.`,
      );
    }
  });
  if (triangles.length === 0) throw new MeshError(`${name} holds no faces: is it an OBJ file, and complete?`);
  if (colors.length > 0 && colors.length !== positions.length) {
    throw new MeshError(
      `${name}: ${colors.length / 3} of ${count} vertices have colours; give all of them one, or none.`,
    );
  }
  return {
    name,
    positions: Float64Array.from(positions),
    triangles: Uint32Array.from(triangles),
    ...(colors.length > 0 && { colors: Float64Array.from(colors) }),
  };
}

/** Lines with their numbers, from 1; a backslash at the end of one goes on with the next. */
function* statements(text: string): Generator<[line: string, number: number]> {
  const lines = text.split(/\r?\n/);
  for (let i = 0; i < lines.length; i++) {
    const number = i + 1;
    let line = lines[i];
    while (line.endsWith('\\') && i + 1 < lines.length) line = `${line.slice(0, -1)} ${lines[++i]}`;
    yield [line, number];
  }
}

function parseNumber(word: string, where: string): number {
  const value = decimal(word);
  if (Number.isNaN(value)) throw new MeshError(`${where}: "${word}" is not a finite number.`);
  return value;
}

/** `7`, `7/1`, `7/1/3`, `7//3`; negative numbers count back from the last vertex so far. */
function parseReference(word: string, verticesSoFar: number, where: string): number {
  const number = /^-?\d+(?:\/-?\d*){0,2}$/.test(word) ? Number.parseInt(word, 10) : 0;
  const index = number < 0 ? verticesSoFar + number : number - 1;
  if (number === 0 || index < 0) {
    throw new MeshError(
      `${where}: "${word}" is not a reference to a vertex (they count from 1, or back from -1).`,
    );
  }
  return index;
}

/**
 * The mesh as OBJ, with every digit of its positions. Colours of vertices are kept, those of triangles are not (the
 * format has no place for them).
 */
export function formatObj(mesh: TriangleMesh): string {
  const colors = mesh.colorsOn === 'triangles' ? undefined : mesh.colors;
  const lines: string[] = [];
  for (let v = 0; v < vertexCount(mesh); v++) {
    const values = [
      ...mesh.positions.subarray(3 * v, 3 * v + 3),
      ...(colors?.subarray(3 * v, 3 * v + 3) ?? []),
    ];
    lines.push(`v ${values.join(' ')}`);
  }
  for (let t = 0; t < triangleCount(mesh); t++) {
    const [a, b, c] = mesh.triangles.subarray(3 * t, 3 * t + 3);
    lines.push(`f ${a + 1} ${b + 1} ${c + 1}`);
  }
  return `${lines.join('\n')}\n`;
}
