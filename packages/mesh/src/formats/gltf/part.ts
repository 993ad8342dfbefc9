import type { Accessor, Primitive } from '@gltf-transform/core';
import { GradsimError } from '@gradsim/base';
import type { Texture } from '../../mesh.ts';
import { SHAPE_ALONE } from '../read-beside.ts';
import type { MaterialLook } from './looks.ts';

/**
 * First and last primitive mode of glTF that is a surface: triangles (4), strips (5) and fans (6); smaller ones are
 * points and lines.
 */
const [TRIANGLES, FAN] = [4, 6];

/** Returns whether a primitive is a surface rather than points or lines. @throws GradsimError for an unknown mode. */
export function isSurface(primitive: Primitive, name: string): boolean {
  const mode: number = primitive.getMode();
  if (!(mode >= 0 && mode <= FAN))
    throw new GradsimError('mesh/file-invalid', `${name}: a primitive is of the unknown mode ${mode}.`);
  return mode >= TRIANGLES;
}

/** Triangles of one primitive, in world coordinates, with their colours and texture. */
export interface GltfPart {
  readonly positions: readonly number[];
  readonly triangles: readonly number[];
  /** Red, green, blue of each vertex; undefined means white. */
  readonly colors: readonly number[] | undefined;
  /** Texture coordinates (u, v) of each triangle's three corners. */
  readonly uvs: readonly number[] | undefined;
  readonly texture: Texture | undefined;
}

/** Material of a primitive: its base colour and texture. */
export interface PartLook {
  readonly look: MaterialLook | undefined;
  readonly texture: Texture | undefined;
}

/**
 * Reads a primitive, and transforms it to world coordinates.
 *
 * @param looks material of the primitive; undefined when looks are not read.
 *
 * @throws GradsimError for accessors of the wrong kind or count, indices out of range, and missing texture coordinates.
 */
export function partOf(
  primitive: Primitive,
  matrix: readonly number[],
  looks: PartLook | undefined,
  name: string,
): GltfPart {
  const stored = primitive.getAttribute('POSITION');
  if (!stored)
    throw new GradsimError(
      'mesh/file-invalid',
      `${name}: a primitive has no positions (a required extension may be missing).`,
    );
  requireType(stored, ['VEC3'], 'positions', name);
  const count = stored.getCount();
  const positions: number[] = [];
  for (let v = 0; v < count; v++) {
    const [x, y, z] = stored.getElement<number[]>(v, [0, 0, 0]);
    for (let i = 0; i < 3; i++) {
      positions.push(matrix[i] * x + matrix[4 + i] * y + matrix[8 + i] * z + matrix[12 + i]);
    }
  }
  const triangles = trianglesOf(primitive, count, name);
  if (isMirror(matrix)) {
    for (let i = 0; i < triangles.length; i += 3) {
      [triangles[i + 1], triangles[i + 2]] = [triangles[i + 2], triangles[i + 1]];
    }
  }
  const shape = { positions, triangles };
  if (!looks) return { ...shape, colors: undefined, uvs: undefined, texture: undefined };
  const { look, texture } = looks;
  const uvs = uvsOf(primitive, triangles, look, count, name);
  return { ...shape, colors: colorsOf(primitive, look, count, name), uvs, texture };
}

function requireType(accessor: Accessor, types: readonly string[], what: string, name: string): void {
  if (types.includes(accessor.getType())) return;
  throw new GradsimError(
    'mesh/file-invalid',
    `${name}: ${what} are ${accessor.getType()}, and must be ${types.join(' or ')}.`,
  );
}

/** Returns three vertex indices of the primitive per triangle, counter-clockwise as stored. */
function trianglesOf(primitive: Primitive, count: number, name: string): number[] {
  const indices = primitive.getIndices();
  if (indices) {
    requireType(indices, ['SCALAR'], 'indices', name);
    if (indices.getArray() instanceof Float32Array)
      throw new GradsimError('mesh/file-invalid', `${name}: indices are no whole numbers.`);
  }
  const corners = Array.from({ length: indices?.getCount() ?? count }, (_, i) => indices?.getScalar(i) ?? i);
  const wrong = corners.findIndex((vertex) => !(vertex >= 0 && vertex < count));
  if (wrong >= 0)
    throw new GradsimError(
      'mesh/no-such-vertex',
      `${name}: triangle ${Math.floor(wrong / 3)} uses vertex ${corners[wrong]}, but there are ${count} vertices, 0 to ${count - 1}.`,
    );
  const mode: number = primitive.getMode();
  if (mode === TRIANGLES) {
    if (corners.length % 3)
      throw new GradsimError(
        'mesh/file-invalid',
        `${name}: ${corners.length} corners are not a whole number of triangles.`,
      );
    return corners;
  }
  if (corners.length < 3)
    throw new GradsimError(
      'mesh/file-invalid',
      `${name}: a strip or fan of ${corners.length} vertices makes no triangle.`,
    );
  // Every second triangle of a strip is stored with the opposite orientation.
  return Array.from({ length: corners.length - 2 }, (_, k) => k).flatMap((k) => {
    if (mode === FAN) return [corners[0], corners[k + 1], corners[k + 2]];
    return k % 2 === 0 ? [corners[k], corners[k + 1], corners[k + 2]] : [corners[k + 1], corners[k], corners[k + 2]];
  });
}

function isMirror(m: readonly number[]): boolean {
  const [a, b, c, d, e, f, g, h, i] = [m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]];
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0;
}

/** Returns the colours of vertices, multiplied by the base colour of the material. */
function colorsOf(
  primitive: Primitive,
  look: MaterialLook | undefined,
  count: number,
  name: string,
): number[] | undefined {
  const attribute = primitive.getAttribute('COLOR_0');
  if (!attribute && !look) return undefined;
  const factor = look?.color ?? [1, 1, 1];
  if (!attribute) return Array.from({ length: count }, () => factor).flat();
  requireType(attribute, ['VEC3', 'VEC4'], 'colours', name);
  if (attribute.getCount() !== count)
    throw new GradsimError(
      'mesh/file-invalid',
      `${name}: there are ${attribute.getCount()} colours for ${count} vertices.`,
    );
  return Array.from({ length: count }, (_, v) => {
    const [r, g, b, alpha = 1] = attribute.getElement<number[]>(v, []);
    if (look?.isBlended && alpha < 1)
      throw new GradsimError(
        'mesh/look-transparent',
        `${look.materialName} is transparent at vertices, which is not supported.`,
        { hint: `Make it opaque, ${SHAPE_ALONE}.` },
      );
    return [r * factor[0], g * factor[1], b * factor[2]];
  }).flat();
}

/**
 * Returns the texture coordinates of triangle corners. Those of a primitive without a texture are read too if present,
 * so that a texture can be added later.
 */
function uvsOf(
  primitive: Primitive,
  triangles: readonly number[],
  look: MaterialLook | undefined,
  count: number,
  name: string,
): number[] | undefined {
  const { coordinates = 0, place } = look?.texture ?? {};
  const attribute = primitive.getAttribute(`TEXCOORD_${coordinates}`);
  if (!attribute && !place) return undefined;
  if (!attribute)
    throw new GradsimError(
      'mesh/no-texture-coordinates',
      `${look!.materialName} has a texture, but a primitive that has it no TEXCOORD_${coordinates}, which says where on it vertices lie.`,
      { hint: `Export it with texture coordinates, ${SHAPE_ALONE}.` },
    );
  requireType(attribute, ['VEC2'], 'texture coordinates', name);
  if (attribute.getCount() !== count)
    throw new GradsimError(
      'mesh/file-invalid',
      `${name}: there are ${attribute.getCount()} texture coordinates for ${count} vertices.`,
    );
  return triangles.flatMap((vertex) => {
    const [u, v] = attribute.getElement<[number, number]>(vertex, [0, 0]);
    return place ? [...place(u, v)] : [u, v];
  });
}
