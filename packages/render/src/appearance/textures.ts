import type { Model, Texture } from '@gradsim/core';
import { describeValue, GradsimError, u32, vec3 } from '@gradsim/core';
import type { ImageLayout } from '../layout.ts';
import type { StoredTexture } from './mip-maps.ts';
import { addMipMaps } from './mip-maps.ts';
import { texelColor } from './texel-color.ts';

/** Textures of a surface, and how its faces are mapped to them. */
export interface SurfaceTextures {
  readonly faces: number;
  readonly textures?: readonly Texture[];
  /** Index into `textures` of each face; by default 0 for all. */
  readonly triangleTextures?: ArrayLike<number>;
  /** Texture coordinates: six numbers per face, (u, v) of each corner in turn. */
  readonly uvs?: ArrayLike<number>;
  /** Name of the surface in messages. */
  readonly name: string;
}

const WHITE_TEXTURE: Texture = { width: 1, height: 1, colors: [1, 1, 1] };

const hasTextures = ({ textures }: SurfaceTextures): boolean => textures !== undefined && textures.length > 0;

/**
 * Adds fields for texels and texture coordinates (`texels.color`, `faces.u` and `faces.v`, one number for each corner)
 * if any face has a texture; faces without one get a texture of one white texel.
 *
 * @param layout of the pictures, if textures get mip maps; else null.
 *
 * @returns whether any face has a texture.
 * @throws for a texture without texture coordinates or the reverse, a texture of no size or with the wrong number of
 * values, and a face with an unknown texture.
 */
export function addTextures(
  model: Model,
  surfaces: readonly SurfaceTextures[],
  layout: ImageLayout | null = null,
): boolean {
  for (const wrapping of surfaces) checkSurfaceTextures(wrapping);
  if (!surfaces.some(hasTextures)) return false;
  const numbers = new Map<Texture, number>();
  const stored: StoredTexture[] = [];
  const textureOfFace: number[] = [];
  const texels: number[] = [];
  const columns = {
    u: [],
    v: [],
    firstTexel: [],
    textureWidth: [],
    textureHeight: [],
    textureClamps: [],
  } as Record<'u' | 'v' | 'firstTexel' | 'textureWidth' | 'textureHeight' | 'textureClamps', number[]>;
  for (const wrapping of surfaces) {
    const { faces, triangleTextures, uvs } = wrapping;
    const textures = hasTextures(wrapping) ? wrapping.textures! : [WHITE_TEXTURE];
    for (const texture of textures) {
      if (numbers.has(texture)) continue;
      numbers.set(texture, stored.length);
      stored.push({ first: texels.length / 3, width: texture.width, height: texture.height });
      for (let k = 0; k < texture.colors.length; k++) texels.push(texture.colors[k]);
    }
    for (let face = 0; face < faces; face++) {
      const texture = textures[triangleTextures?.[face] ?? 0];
      for (let corner = 0; corner < 3; corner++) {
        columns.u.push(uvs?.[6 * face + 2 * corner] ?? 0);
        columns.v.push(uvs?.[6 * face + 2 * corner + 1] ?? 0);
      }
      const number = numbers.get(texture)!;
      textureOfFace.push(number);
      columns.firstTexel.push(stored[number].first);
      columns.textureWidth.push(texture.width);
      columns.textureHeight.push(texture.height);
      columns.textureClamps.push(texture.wrap === 'clamp' ? 1 : 0);
    }
  }
  model.addDomain('texels', texels.length / 3);
  model.addField(texelColor, { values: texels });
  for (const [name, values] of Object.entries(columns))
    model.addField('faces', name, name === 'u' || name === 'v' ? vec3 : u32, { values });
  if (layout) addMipMaps(model, stored, textureOfFace, layout);
  return true;
}

function checkSurfaceTextures(wrapping: SurfaceTextures): void {
  const { faces, textures = [], triangleTextures, uvs, name } = wrapping;
  if (uvs && uvs.length !== 6 * faces)
    throw new GradsimError(
      'render/wrong-size',
      `${name} has ${faces} triangles, but ${uvs.length} numbers in uvs: u and v of three corners make ${6 * faces}.`,
      { field: name },
    );
  if (!hasTextures(wrapping)) return;
  if (!uvs)
    throw new GradsimError(
      'render/no-texture-coordinates',
      `${name} has a texture, but no uvs, which say where on the texture its corners lie.`,
      { field: name },
    );
  textures.forEach((texture, k) => {
    checkTexture(texture, textures.length > 1 ? `Texture ${k} of ${name}` : `The texture of ${name}`);
  });
  if (!triangleTextures) return;
  if (triangleTextures.length !== faces)
    throw new GradsimError(
      'render/wrong-size',
      `${name} has ${faces} triangles, but ${triangleTextures.length} numbers in triangleTextures: one a triangle is needed.`,
      { field: name },
    );
  for (let face = 0; face < faces; face++)
    if (!textures[triangleTextures[face]])
      throw new GradsimError(
        'render/no-such-texture',
        `${name}: triangle ${face} has texture ${triangleTextures[face]}, but there are ${textures.length}, from 0.`,
      );
}

function checkTexture({ width, height, colors, wrap }: Texture, who: string): void {
  for (const [side, size] of Object.entries({ width, height })) {
    if (!Number.isInteger(size) || size < 1)
      throw new GradsimError('render/texture-size', `${who} has the ${side} ${size}.`, {
        hint: 'It must be a whole number of at least 1.',
      });
  }
  if (colors.length !== 3 * width * height)
    throw new GradsimError(
      'render/wrong-size',
      `${who} has ${width} x ${height} texels, but ${colors.length} numbers in colors: red, green and blue make ${3 * width * height}.`,
    );
  if (wrap !== undefined && wrap !== 'repeat' && wrap !== 'clamp')
    throw new GradsimError(
      'render/unknown-choice',
      `${who} has wrap ${describeValue(wrap)}; there are 'repeat' and 'clamp'.`,
    );
}
