import { GradsimError, refuseUnknownOptions, vectorAt } from '@gradsim/base';
/*
 * Why readers of our own for OBJ and STL: the kept libraries (three's loaders, @loaders.gl/obj) expand a file into
 * one vertex for every corner, in single precision. That loses the shared vertices by which a solid is known to be
 * closed, the indices that errors should name, and half of the digits of the inertia. glTF, which is a large format,
 * is read with a library.
 */
import type { TriangleMesh } from '../../mesh.ts';
import { parseDecimal } from '../numbers.ts';
import type { ReadOptions } from '../read-beside.ts';
import type { ObjFile } from './file.ts';
import { readObjLooks } from './looks.ts';
import { trianglesOfPolygon } from './polygon.ts';

/** Keywords that are ignored, since they concern neither shape nor looks: normals, groups, lines, points. */
const IGNORED_KEYWORDS = new Set(
  ('vn g s o mg usemap maplib l p ' + 'bevel c_interp d_interp lod shadow_obj trace_obj ctech stech call csh').split(
    ' ',
  ),
);
/** Keywords of curved surfaces, which cannot be read. */
const CURVE_KEYWORDS = new Set('vp deg bmat step cstype curv curv2 surf parm trim hole scrv sp end con'.split(' '));

/**
 * Reads Wavefront OBJ: vertices (with colours, if all have them), faces, and the colours of materials. Faces of more
 * than three corners are filled with triangles, convex or not. Normals, groups, lines and points are ignored.
 *
 * Of materials, `Kd`, taken as linear light, and `map_Kd`, PNG or JPEG, are read and multiplied. Colours of vertices
 * replace `Kd`. Texture coordinates are read if all faces have them.
 *
 * @param options `readBeside` fetches the files that it names, `looks: false` reads only the shape.
 *
 * @throws GradsimError naming the file, the line and what is wrong with it: invalid numbers, references to missing
 * vertices, unknown keywords, curved surfaces; material or image files that are missing, damaged or not supported.
 *
 * @example
 * const readBeside = async (uri: string) => new Uint8Array(await (await fetch(uri)).arrayBuffer());
 * const mesh = await parseObj(await (await fetch('duck.obj')).text(), 'duck.obj', { readBeside });
 */
export async function parseObj(text: string, name = 'OBJ', options: ReadOptions = {}): Promise<TriangleMesh> {
  refuseUnknownOptions('parseObj', options, { readBeside: true, looks: true });
  const { readBeside, looks = true } = options;
  const obj = parseFile(text, name);
  return {
    name,
    positions: Float64Array.from(obj.positions),
    triangles: Uint32Array.from(obj.triangles),
    ...(looks && (await readObjLooks(obj, name, readBeside))),
  };
}

function parseFile(text: string, name: string): ObjFile {
  const obj: ObjFile = {
    positions: [],
    colors: [],
    places: [],
    faces: [],
    triangles: [],
    placeOf: [],
    lineOf: [],
    materialOf: [],
    materials: new Map(),
    libraries: [],
  };
  const numberOf = new Map<string, number>();
  let material = -1;
  for (const [line, number] of statements(text)) {
    const [keyword, ...words] = line.replace(/#.*/, '').trim().split(/\s+/);
    const where = `${name}, line ${number}`;
    if (keyword === 'v') readVertex(obj, words, where);
    else if (keyword === 'vt') readPlace(obj, words, where);
    else if (keyword === 'f') readFace(obj, words, material, number, where);
    else if (keyword === 'mtllib') obj.libraries.push(...librariesOf(words));
    else if (keyword === 'usemtl') {
      const key = words.join(' ');
      material = numberOf.get(key) ?? numberOf.size;
      numberOf.set(key, material);
      if (!obj.materials.has(key)) obj.materials.set(key, number);
    } else if (CURVE_KEYWORDS.has(keyword)) {
      throw new GradsimError('mesh/format-not-supported', `${where}: "${keyword}" is of a curved surface.`, {
        hint: 'Export it as polygons.',
      });
    } else if (keyword !== '' && !IGNORED_KEYWORDS.has(keyword)) {
      throw new GradsimError(
        'mesh/file-invalid',
        `${where}: "${keyword.slice(0, 40)}" is no keyword of OBJ; is this an OBJ file?`,
      );
    }
  }
  triangulate(obj, name);
  checkFile(obj, name);
  return obj;
}

function readVertex({ positions, colors }: ObjFile, words: readonly string[], where: string): void {
  const values = words.map((word) => parseNumber(word, where));
  if (![3, 4, 6, 7].includes(values.length))
    throw new GradsimError(
      'mesh/file-invalid',
      `${where}: a vertex has 3 coordinates (and 3 colours), not ${values.length} values.`,
    );
  positions.push(...values.slice(0, 3));
  if (values.length >= 6) colors.push(...values.slice(-3));
}

function readPlace({ places }: ObjFile, words: readonly string[], where: string): void {
  const values = words.map((word) => parseNumber(word, where));
  if (values.length < 1 || values.length > 3)
    throw new GradsimError(
      'mesh/file-invalid',
      `${where}: texture coordinates are 1 to 3 numbers, not ${values.length}.`,
    );
  places.push(values[0], values[1] ?? 0);
}

function readFace(obj: ObjFile, words: readonly string[], material: number, number: number, where: string): void {
  const { positions, places } = obj;
  const corners = words.map((word) => parseReference(word, positions.length / 3, places.length / 2, where));
  if (corners.length < 3)
    throw new GradsimError('mesh/file-invalid', `${where}: a face has at least 3 corners, not ${corners.length}.`);
  obj.faces.push({ corners, line: number, material });
}

/** Makes triangles of the faces, which may refer to later vertices. @throws for a vertex that is not there. */
function triangulate(obj: ObjFile, name: string): void {
  const count = obj.positions.length / 3;
  for (const { corners, line, material } of obj.faces) {
    const absent = corners.find(({ vertex }) => vertex >= count);
    if (absent)
      throw new GradsimError(
        'mesh/no-such-vertex',
        `${name}, line ${line}: the face uses vertex ${absent.vertex + 1}, but the file has ${count}.`,
      );
    const cut =
      corners.length === 3
        ? TRIANGLE
        : trianglesOfPolygon(corners.map(({ vertex }) => vectorAt(obj.positions, vertex)));
    for (const triangle of cut) {
      for (const corner of triangle) {
        obj.triangles.push(corners[corner].vertex);
        obj.placeOf.push(corners[corner].place);
      }
      obj.lineOf.push(line);
      obj.materialOf.push(material);
    }
  }
}

const TRIANGLE = [[0, 1, 2]] as const;

/** Returns the material files named by a `mtllib` statement: several, or one whose name contains spaces. */
function librariesOf(words: readonly string[]): readonly string[] {
  return words.every((word) => /\.mtl$/i.test(word)) ? words : [words.join(' ')];
}

/** Checks the references of faces, at the end of the file, since they may be to later lines. */
function checkFile({ positions, colors, places, triangles, placeOf, lineOf }: ObjFile, name: string): void {
  const check = (list: readonly number[], what: string, count: number): void => {
    const wrong = list.findIndex((index) => index >= count);
    if (wrong >= 0)
      throw new GradsimError(
        'mesh/no-such-vertex',
        `${name}, line ${lineOf[Math.floor(wrong / 3)]}: the face uses ${what} ${list[wrong] + 1}, but the file has ${count}.`,
      );
  };
  const count = positions.length / 3;
  check(placeOf, 'the texture coordinates', places.length / 2);
  if (triangles.length === 0)
    throw new GradsimError('mesh/nothing-in-mesh', `${name} holds no faces: is it an OBJ file, and complete?`);
  if (colors.length > 0 && colors.length !== positions.length)
    throw new GradsimError('mesh/wrong-size', `${name}: ${colors.length / 3} of ${count} vertices have colours.`, {
      hint: 'Give all of them one, or none.',
    });
}

/** Yields the statements with their line numbers, from 1; a backslash at the end of a line continues it on the next. */
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
  const value = parseDecimal(word);
  if (Number.isNaN(value)) throw new GradsimError('mesh/file-invalid', `${where}: "${word}" is not a finite number.`);
  return value;
}

/**
 * Parses a corner of a face, `7`, `7/1`, `7/1/3` or `7//3`; negative numbers count back from the last one defined so
 * far.
 */
function parseReference(
  word: string,
  vertices: number,
  places: number,
  where: string,
): { vertex: number; place: number } {
  const [, first, second] = /^(-?\d+)(?:\/(-?\d*))?(?:\/-?\d*)?$/.exec(word) ?? [];
  const indexOf = (digits: string | undefined, soFar: number): number => {
    const number = Number.parseInt(digits ?? '0', 10);
    return number < 0 ? soFar + number : number - 1;
  };
  const vertex = indexOf(first, vertices);
  if (vertex < 0)
    throw new GradsimError(
      'mesh/file-invalid',
      `${where}: "${word}" is not a reference to a vertex (they count from 1, or back from -1).`,
    );
  if (!second) return { vertex, place: -1 };
  const place = indexOf(second, places);
  if (!(place >= 0))
    throw new GradsimError(
      'mesh/file-invalid',
      `${where}: "${word}" names no texture coordinates (they count from 1, or back from -1).`,
    );
  return { vertex, place };
}
