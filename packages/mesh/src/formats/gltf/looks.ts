import { describeValue, GradsimError, isGradsimError } from '@gradsim/base';
import { type Image, readImage } from '../../images/image.ts';
import { reasonOf, type Texture } from '../../mesh.ts';
import { withName } from '../../named.ts';
import { SHAPE_ALONE } from '../read-beside.ts';
import type { Gltf } from './references.ts';

/** Base colour of a material, and its texture. */
export interface MaterialLook {
  /** Red, green, blue of the base colour factor, in linear light from 0 to 1. */
  readonly color: readonly number[];
  /** True if alpha below 1 makes the surface transparent. */
  readonly isBlended: boolean;
  readonly texture?: TextureUse;
  /** Name of the material in messages. */
  readonly materialName: string;
}

interface TextureUse {
  readonly image: number;
  readonly wrap: 'repeat' | 'clamp';
  /** Index n of the attribute TEXCOORD_n that holds the texture coordinates. */
  readonly coordinates: number;
  /** Transforms stored texture coordinates to the position (u, v) on the picture. */
  readonly place: (u: number, v: number) => readonly [number, number];
}

type Json = Readonly<Record<string, unknown>>;

const WRAP_MODES: Readonly<Record<number, Texture['wrap']>> = { 10497: 'repeat', 33071: 'clamp' };
/** `MIRRORED_REPEAT`, a texture wrapping mode of glTF. */
const MIRRORED_REPEAT = 33648;
const TEXTURE_TRANSFORM = 'KHR_texture_transform';
/** Extensions that replace or remove the base colour of materials. */
const OTHER_COLORS = ['KHR_materials_pbrSpecularGlossiness'];

/**
 * Returns the looks of the materials that meshes use, by material number.
 *
 * @throws GradsimError naming a material that is not supported (mirrored textures, images of other formats, other
 * material models, transparency), or a texture or image that is missing.
 */
export function looksOf(json: Gltf, name: string): ReadonlyMap<number, MaterialLook> {
  const used = new Set((json.meshes ?? []).flatMap(({ primitives }) => primitives.map((p) => p.material)));
  const looks = new Map<number, MaterialLook>();
  for (const k of used) if (k !== undefined) looks.set(k, lookOf(json, k, name));
  return looks;
}

/** Functions that throw a GradsimError naming the material; one a code. */
interface MaterialRefusals {
  /** For what glTF allows and gradsim does not draw. */
  readonly unsupported: (what: string) => never;
  readonly transparent: (what: string) => never;
  /** For values and references that glTF does not allow. */
  readonly broken: (what: string) => never;
}

function lookOf(json: Gltf, k: number, name: string): MaterialLook {
  const material = json.materials![k];
  const materialName = `${name}: material ${k}${material.name ? ` (${material.name})` : ''}`;
  const fail: MaterialRefusals = {
    unsupported: (what) => {
      throw new GradsimError('mesh/look-not-supported', `${materialName} ${what}, which is not supported.`, {
        hint: `Change it, ${SHAPE_ALONE}.`,
      });
    },
    transparent: (what) => {
      throw new GradsimError('mesh/look-transparent', `${materialName} ${what}, which is not supported.`, {
        hint: `Make it opaque, ${SHAPE_ALONE}.`,
      });
    },
    broken: (what) => {
      throw new GradsimError('mesh/file-damaged', `${materialName} ${what}.`, {
        hint: `Export it again, ${SHAPE_ALONE}.`,
      });
    },
  };
  const other = Object.keys(material.extensions ?? {}).find((each) => OTHER_COLORS.includes(each));
  if (other) fail.unsupported(`is of the extension ${other}`);
  const { baseColorFactor = [1, 1, 1, 1], baseColorTexture } = material.pbrMetallicRoughness ?? {};
  if (!isNumbers(baseColorFactor, 4))
    fail.broken(`has the baseColorFactor ${describeValue(baseColorFactor)}, which must be four numbers`);
  const isBlended = (material.alphaMode ?? 'OPAQUE') !== 'OPAQUE';
  if (isBlended && baseColorFactor[3] < 1) fail.transparent('is transparent');
  const texture = baseColorTexture && textureOf(json, baseColorTexture as unknown as Json, fail);
  return { color: baseColorFactor.slice(0, 3), isBlended, texture, materialName };
}

function textureOf(json: Gltf, info: Json, fail: MaterialRefusals): TextureUse {
  const texture = elementAt<Json>(json.textures, info.index);
  if (!texture) return fail.broken(`has the texture ${info.index}, but there are ${json.textures?.length ?? 0}`);
  if (texture.source === undefined) {
    const [extension] = Object.keys((texture.extensions as Json | undefined) ?? {});
    return extension
      ? fail.unsupported(`has a texture that is stored by the extension ${extension}`)
      : fail.broken('has a texture without an image');
  }
  if (!elementAt(json.images, texture.source))
    fail.broken(`has a texture of image ${texture.source}, but there are ${json.images?.length ?? 0}`);
  const sampler = texture.sampler === undefined ? {} : elementAt<Json>(json.samplers, texture.sampler);
  if (!sampler)
    return fail.broken(`has a texture of sampler ${texture.sampler}, but there are ${json.samplers?.length ?? 0}`);
  const transform = (info.extensions as Json | undefined)?.[TEXTURE_TRANSFORM] as Json | undefined;
  const coordinates = transform?.texCoord ?? info.texCoord ?? 0;
  if (!Number.isInteger(coordinates) || (coordinates as number) < 0)
    fail.broken(`has the texCoord ${describeValue(coordinates)}, which is no whole number`);
  return {
    image: texture.source as number,
    wrap: wrapOf(sampler, fail),
    coordinates: coordinates as number,
    place: textureTransform(transform, fail),
  };
}

function elementAt<T>(list: readonly unknown[] | undefined, index: unknown): T | undefined {
  return list?.[index as number] as T | undefined;
}

function wrapOf({ wrapS = 10497, wrapT = 10497 }: Json, fail: MaterialRefusals): 'repeat' | 'clamp' {
  if (wrapS === MIRRORED_REPEAT || wrapT === MIRRORED_REPEAT)
    fail.unsupported('has a texture with mirrored repeat (MIRRORED_REPEAT)');
  const [across, down] = [WRAP_MODES[wrapS as number], WRAP_MODES[wrapT as number]];
  if (!across || !down) return fail.broken(`has a texture with the unknown wraps ${wrapS} and ${wrapT}`);
  if (across !== down) fail.unsupported(`has a texture with wrapS ${across} and another wrapT, ${down}`);
  return across;
}

/**
 * Returns the texture transform as a function: scales, rotates, then translates. Source: the extension
 * KHR_texture_transform.
 */
function textureTransform(transform: Json | undefined, fail: MaterialRefusals): TextureUse['place'] {
  if (!transform) return (u, v) => [u, v];
  const { offset = [0, 0], rotation = 0, scale = [1, 1] } = transform;
  if (!isNumbers(offset, 2) || !isNumbers([rotation], 1) || !isNumbers(scale, 2))
    return fail.broken(`has the ${TEXTURE_TRANSFORM} ${describeValue(transform)}, whose values must be numbers`);
  const [cos, sin] = [Math.cos(rotation as number), Math.sin(rotation as number)];
  return (u, v) => {
    const [x, y] = [scale[0] * u, scale[1] * v];
    return [cos * x + sin * y + offset[0], cos * y - sin * x + offset[1]];
  };
}

function isNumbers(values: unknown, count: number): values is number[] {
  return Array.isArray(values) && values.length === count && values.every(Number.isFinite);
}

/**
 * Reads the textures of materials, by material number; materials with the same image and wrapping share one texture.
 *
 * @param bytesOf fetches the bytes of an image.
 */
export async function readTextures(
  looks: ReadonlyMap<number, MaterialLook>,
  bytesOf: (image: number) => Promise<Uint8Array>,
): Promise<ReadonlyMap<number, Texture>> {
  const images = new Map<number, Image>();
  const textures = new Map<string, Texture>();
  const found = new Map<number, Texture>();
  for (const [material, { texture, isBlended, materialName }] of looks) {
    if (!texture) continue;
    const { image: k, wrap } = texture;
    const image = images.get(k) ?? (await fetchImage(k, bytesOf, materialName));
    images.set(k, image);
    if (isBlended && image.isTransparent)
      throw new GradsimError(
        'mesh/look-transparent',
        `${materialName} is transparent where image ${k} is, which is not supported.`,
        { hint: `Make it opaque, ${SHAPE_ALONE}.` },
      );
    const { width, height, colors } = image;
    const known = textures.get(`${k} ${wrap}`) ?? { width, height, colors, wrap };
    textures.set(`${k} ${wrap}`, known);
    found.set(material, known);
  }
  return found;
}

async function fetchImage(k: number, bytesOf: (image: number) => Promise<Uint8Array>, who: string): Promise<Image> {
  try {
    return await readImage(await bytesOf(k), `image ${k}`);
  } catch (error) {
    if (isGradsimError(error) && error.code !== 'mesh/no-file')
      throw withName(error, `${who} has a texture that cannot be read`);
    throw new GradsimError(
      'mesh/no-file-beside',
      `${who} has a texture, but image ${k} cannot be read: ${reasonOf(error)}`,
      { hint: `Put the file there, ${SHAPE_ALONE}.`, cause: error },
    );
  }
}
