import { GradsimError } from '@gradsim/base';
import { textOf } from '@gradsim/base/text';
import { readImage } from '../../images/image.ts';
import { reasonOf, type Texture, type TriangleMesh } from '../../mesh.ts';
import { WHITE_TEXTURE } from '../plain.ts';
import { type ReadBeside, SHAPE_ALONE } from '../read-beside.ts';
import type { ObjFile } from './file.ts';
import { type Material, parseMtl } from './mtl.ts';

const DEFAULT_LOOK: Material = { color: [1, 1, 1], wrap: 'repeat' };

type Looks = Pick<TriangleMesh, 'colors' | 'colorsOn' | 'uvs' | 'textures' | 'triangleTextures'>;

/**
 * Reads colours, textures and texture coordinates of an .obj: the colours of vertices, or if there are none those of
 * materials.
 *
 * @throws GradsimError for files that cannot be read, materials that are missing or not supported, faces without the
 * texture coordinates that their material needs.
 */
export async function readObjLooks(obj: ObjFile, name: string, readBeside: ReadBeside | undefined): Promise<Looks> {
  const colors = obj.colors.length > 0 && { colors: Float64Array.from(obj.colors) };
  const uvs = uvsOf(obj);
  const plain = { ...colors, ...(uvs && { uvs }) };
  if (obj.libraries.length === 0 || obj.materials.size === 0) return plain;
  const materials = await materialsOf(obj, name, readBeside);
  const ofTriangles = obj.materialOf.map((material) => materials[material] ?? DEFAULT_LOOK);
  const materialColors = {
    colors: Float64Array.from(ofTriangles.flatMap(({ color }) => color)),
    colorsOn: 'triangles' as const,
  };
  const looks = colors || materialColors;
  if (!ofTriangles.some(({ image }) => image !== undefined)) return { ...plain, ...looks };
  requireUvs(obj, ofTriangles, name);
  const found = await texturesOf(new Set(ofTriangles), name, readBeside!);
  const textures = [...new Set(found.values())];
  return {
    ...looks,
    uvs: uvs ?? placesOf(obj),
    textures,
    ...(textures.length > 1 && {
      triangleTextures: Uint32Array.from(ofTriangles, (each) => textures.indexOf(found.get(each)!)),
    }),
  };
}

/** Returns the texture coordinates (u, v) of all corners, v downwards; undefined if a corner has none. */
function uvsOf(obj: ObjFile): Float64Array | undefined {
  return obj.places.length > 0 && obj.placeOf.every((place) => place >= 0) ? placesOf(obj) : undefined;
}

/**
 * Returns the texture coordinates (u, v) of all corners, v downwards, while the file counts v upwards. Corners without
 * any, which have no texture either, get (0, 0).
 */
function placesOf({ places, placeOf }: ObjFile): Float64Array {
  return Float64Array.from(
    placeOf.flatMap((place) => (place < 0 ? [0, 0] : [places[2 * place], 1 - places[2 * place + 1]])),
  );
}

function requireUvs({ placeOf, lineOf }: ObjFile, ofTriangles: readonly Material[], name: string): void {
  const corner = placeOf.findIndex((place, k) => place < 0 && ofTriangles[Math.floor(k / 3)].image !== undefined);
  if (corner < 0) return;
  const triangle = Math.floor(corner / 3);
  throw new GradsimError(
    'mesh/no-texture-coordinates',
    `${name}, line ${lineOf[triangle]}: the face names no texture coordinates, but its material has the image ${ofTriangles[triangle].image}.`,
    { hint: `Export it with them, ${SHAPE_ALONE}.` },
  );
}

/** Reads the materials in use, in the order of their first use. */
async function materialsOf(
  { libraries, materials }: ObjFile,
  name: string,
  readBeside: ReadBeside | undefined,
): Promise<Material[]> {
  const all = new Map<string, Material>();
  for (const library of libraries) {
    const text = textOf(await fetchFile(library, `${name} needs`, readBeside));
    const folder = library.replaceAll('\\', '/').replace(/[^/]*$/, '');
    for (const [key, material] of parseMtl(text, library))
      all.set(key, { ...material, ...(material.image && { image: folder + material.image }) });
  }
  return [...materials].map(([key, line]) => {
    const material = all.get(key);
    if (!material)
      throw new GradsimError(
        'mesh/no-such-material',
        `${name}, line ${line}: there is no material "${key}" in ${libraries.join(', ')}.`,
        { field: key, hint: `Add it, ${SHAPE_ALONE}.` },
      );
    if (material.problem)
      throw new GradsimError('mesh/file-invalid', `Material "${key}" of ${name}, ${material.problem}`, { field: key });
    return material;
  });
}

async function texturesOf(
  materials: ReadonlySet<Material>,
  name: string,
  readBeside: ReadBeside,
): Promise<ReadonlyMap<Material, Texture>> {
  const read = new Map<string, Texture>();
  const found = new Map<Material, Texture>();
  for (const material of materials) {
    const { image, wrap } = material;
    if (image === undefined) {
      found.set(material, WHITE_TEXTURE);
      continue;
    }
    const key = `${wrap} ${image}`;
    if (!read.has(key)) {
      const bytes = await fetchFile(image, `A material of ${name} needs`, readBeside);
      const { width, height, colors } = await readImage(bytes, image);
      read.set(key, { width, height, colors, wrap });
    }
    found.set(material, read.get(key)!);
  }
  return found;
}

async function fetchFile(file: string, who: string, readBeside: ReadBeside | undefined): Promise<Uint8Array> {
  if (!readBeside)
    throw new GradsimError('mesh/no-file-beside', `${who} the file ${file} beside it.`, {
      hint: `Use readMesh, give readBeside, ${SHAPE_ALONE}.`,
    });
  const uri = file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  try {
    return await readBeside(uri);
  } catch (error) {
    throw new GradsimError(
      'mesh/no-file-beside',
      `${who} the file ${file}, which cannot be had: ${reasonOf(error)} Put it there, ${SHAPE_ALONE}.`,
      { cause: error },
    );
  }
}
