import type { Document, Primitive } from '@gltf-transform/core';
import { GradsimError, isGradsimError, refuseUnknownOptions } from '@gradsim/base';
import { checkMesh } from '../../check.ts';
import { reasonOf, type TriangleMesh } from '../../mesh.ts';
import { WHITE_TEXTURE } from '../plain.ts';
import type { ReadOptions } from '../read-beside.ts';
import type { GltfFile } from './file.ts';
import { type GltfPart, isSurface, partOf } from './part.ts';

/** Maximum number of triangle corners in a scene: a small file can instance a mesh many times. */
const MAX_CORNERS = 3e7;

/**
 * Reads glTF 2.0, as .glb, or as .gltf with data URIs or separate files. Returns every triangle of the default scene
 * (lists, strips and fans), transformed by its node, as one mesh. Vertices are not merged, so they are duplicated along
 * seams: use {@link weldMesh} to get a solid. Lines and points are ignored.
 *
 * Of materials only base colours are read, in linear light: factors times vertex colours, and textures (PNG and JPEG),
 * transformed by KHR_texture_transform if present, and always interpolated, whatever the file's filters say. Other
 * properties of materials, such as roughness or normal maps, are ignored.
 *
 * @param options `readBeside` fetches the files that a .gltf names, `looks: false` reads only the shape.
 *
 * @throws GradsimError when the file is truncated, refers to missing parts or vertices, declares more data than it has,
 * has positions that are not three finite numbers, has a skin or morph targets, needs an extension that is not
 * supported (such as compression), has no triangles, or has looks that are not supported: transparency, mirrored
 * textures, images of other formats, materials of KHR_materials_pbrSpecularGlossiness.
 *
 * @example
 * const duck = await parseGltf(new Uint8Array(await (await fetch('duck.glb')).arrayBuffer()), 'duck.glb');
 */
export async function parseGltf(bytes: Uint8Array, name = 'glTF', options: ReadOptions = {}): Promise<TriangleMesh> {
  refuseUnknownOptions('parseGltf', options, { readBeside: true, looks: true });
  const { WebIO } = await import('./library.ts');
  const { openGltf } = await import('./file.ts');
  let document: Document;
  let file: GltfFile;
  try {
    file = await openGltf(bytes, name, options);
    document = await new WebIO().readJSON(file.document);
  } catch (error) {
    if (isGradsimError(error)) throw error;
    throw new GradsimError('mesh/file-invalid', `${name} cannot be read as glTF: ${reasonOf(error)}`, { cause: error });
  }
  const root = document.getRoot();
  const scene = root.getDefaultScene() ?? root.listScenes()[0];
  const surfaces: { primitive: Primitive; matrix: readonly number[] }[] = [];
  scene?.traverse((node) => {
    for (const primitive of node.getMesh()?.listPrimitives() ?? [])
      if (isSurface(primitive, name)) surfaces.push({ primitive, matrix: node.getWorldMatrix() });
  });
  const corners = surfaces.reduce((sum, { primitive }) => {
    const accessor = primitive.getIndices() ?? primitive.getAttribute('POSITION');
    return sum + (accessor?.getCount() ?? 0);
  }, 0);
  if (corners > MAX_CORNERS)
    throw new GradsimError(
      'mesh/too-large',
      `${name}: its scene has ${corners} corners of triangles, as its nodes repeat meshes; at most ${MAX_CORNERS} can be read.`,
    );
  const materials = root.listMaterials();
  const parts = surfaces.map(({ primitive, matrix }) => {
    const material = materials.indexOf(primitive.getMaterial()!);
    const looks = { look: file.looks.get(material), texture: file.textures.get(material) };
    return partOf(primitive, matrix, options.looks === false ? undefined : looks, name);
  });
  if (parts.length === 0) throw new GradsimError('mesh/nothing-in-mesh', `${name} holds no triangles in its scene.`);
  const mesh = joinParts(parts, name);
  checkMesh(mesh);
  return mesh;
}

function joinParts(parts: readonly GltfPart[], name: string): TriangleMesh {
  const hasColors = parts.some(({ colors }) => colors);
  const hasTextures = parts.some(({ texture }) => texture);
  const hasUvs = hasTextures || parts.every(({ uvs }) => uvs);
  const textures = hasTextures ? [...new Set(parts.map(({ texture }) => texture ?? WHITE_TEXTURE))] : [];
  const positions: number[] = [];
  const triangles: number[] = [];
  const colors: number[] = [];
  const uvs: number[] = [];
  const triangleTextures: number[] = [];
  for (const part of parts) {
    const first = positions.length / 3;
    const texture = textures.indexOf(part.texture ?? WHITE_TEXTURE);
    for (const vertex of part.triangles) triangles.push(first + vertex);
    for (const value of part.positions) positions.push(value);
    // Without a material or colour, glTF is white.
    for (const value of part.colors ?? part.positions.map(() => 1)) colors.push(value);
    for (const value of part.uvs ?? part.triangles.flatMap(() => [0, 0])) uvs.push(value);
    for (let t = 0; t < part.triangles.length / 3; t++) triangleTextures.push(texture);
  }
  return {
    name,
    positions: Float64Array.from(positions),
    triangles: Uint32Array.from(triangles),
    ...(hasColors && { colors: Float64Array.from(colors) }),
    ...(hasUvs && { uvs: Float64Array.from(uvs) }),
    ...(hasTextures && { textures }),
    ...(textures.length > 1 && { triangleTextures: Uint32Array.from(triangleTextures) }),
  };
}
