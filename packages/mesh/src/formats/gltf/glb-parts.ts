import type { Document, Material, Primitive } from '@gltf-transform/core';
import { writePng } from '../../images/png.ts';
import { type Texture, type TriangleMesh, vertexCount } from '../../mesh.ts';

/** Triangles with the same texture, with vertices duplicated so that each has one colour and texture coordinate. */
export interface GlbPart {
  readonly positions: ArrayLike<number>;
  /** For each vertex of the part, the vertex of the mesh of which it is a copy. */
  readonly vertices: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
  readonly colors?: ArrayLike<number>;
  readonly uvs?: ArrayLike<number>;
  readonly texture?: Texture;
}

export function glbPartsOf(mesh: TriangleMesh): GlbPart[] {
  const { textures = [], triangleTextures, uvs, colorsOn } = mesh;
  if (!uvs && colorsOn !== 'triangles')
    return [{ ...mesh, vertices: Uint32Array.from({ length: vertexCount(mesh) }, (_, v) => v) }];
  const count = mesh.triangles.length / 3;
  const all = Array.from({ length: count }, (_, t) => t);
  if (textures.length < 2) return [separatePart(mesh, all, textures[0])];
  return textures
    .map((texture, k) => ({ texture, triangles: all.filter((t) => (triangleTextures?.[t] ?? 0) === k) }))
    .filter(({ triangles }) => triangles.length > 0)
    .map(({ texture, triangles }) => separatePart(mesh, triangles, texture));
}

/**
 * Returns the chosen triangles as a part, with one vertex for each combination of mesh vertex, colour and texture
 * coordinates.
 */
function separatePart(mesh: TriangleMesh, chosen: readonly number[], texture: Texture | undefined): GlbPart {
  const numbers = new Map<string, number>();
  const [positions, triangles, colors, uvs]: [number[], number[], number[], number[]] = [[], [], [], []];
  const vertices: number[] = [];
  for (const t of chosen) {
    for (const corner of [3 * t, 3 * t + 1, 3 * t + 2]) {
      const vertex = mesh.triangles[corner];
      const place = mesh.uvs ? [mesh.uvs[2 * corner], mesh.uvs[2 * corner + 1]] : [];
      const colored = mesh.colorsOn === 'triangles' ? t : vertex;
      const key = `${vertex} ${colored} ${place}`;
      const known = numbers.get(key) ?? numbers.size;
      triangles.push(known);
      if (known < numbers.size) continue;
      numbers.set(key, known);
      vertices.push(vertex);
      positions.push(...mesh.positions.subarray(3 * vertex, 3 * vertex + 3));
      uvs.push(...place);
      if (mesh.colors) colors.push(...mesh.colors.subarray(3 * colored, 3 * colored + 3));
    }
  }
  return {
    positions,
    vertices,
    triangles,
    texture,
    ...(mesh.colors && { colors }),
    ...(mesh.uvs && { uvs }),
  };
}

export async function primitiveOf(document: Document, part: GlbPart): Promise<Primitive> {
  const { positions, triangles, colors, uvs, texture } = part;
  const [buffer] = document.getRoot().listBuffers();
  const floats = (type: 'VEC2' | 'VEC3', values: ArrayLike<number>) =>
    document.createAccessor().setType(type).setArray(Float32Array.from(values)).setBuffer(buffer);
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', floats('VEC3', positions))
    .setIndices(document.createAccessor().setType('SCALAR').setArray(Uint32Array.from(triangles)).setBuffer(buffer));
  if (colors) primitive.setAttribute('COLOR_0', floats('VEC3', colors));
  if (uvs) primitive.setAttribute('TEXCOORD_0', floats('VEC2', uvs));
  if (colors || texture) primitive.setMaterial(await materialOf(document, texture));
  return primitive;
}

/** Creates a glTF material that shows vertex colours, multiplied by the texture if given, and is not metallic. */
export async function materialOf(document: Document, texture?: Texture): Promise<Material> {
  // By default, glTF surfaces are metallic, which shows little of their colour.
  const material = document.createMaterial().setMetallicFactor(0).setRoughnessFactor(1);
  if (!texture) return material;
  const image = document
    .createTexture()
    .setMimeType('image/png')
    .setImage(new Uint8Array(await writePng(texture)));
  const wrap = texture.wrap === 'clamp' ? 33071 : 10497;
  material.setBaseColorTexture(image).getBaseColorTextureInfo()?.setWrapS(wrap).setWrapT(wrap);
  return material;
}
