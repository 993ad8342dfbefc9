import type { Model, Texture } from '@gradsim/core';
import { field, u32, vec3 } from '@gradsim/core';

/** Red, green, blue of every texel of all textures, one texture after another, row by row from the top. */
export const texelColor = field('texels', 'color', vec3);

/** What is laid over some of the faces, in the order of the faces. */
export interface Wrapping {
  readonly faces: number;
  readonly texture?: Texture;
  /** Six numbers a face: (u, v) of its corners. */
  readonly uvs?: ArrayLike<number>;
  /** Names the surface in messages. */
  readonly name: string;
}

const WHITE: Texture = { width: 1, height: 1, colors: [1, 1, 1] };

/**
 * Adds texels and texture coordinates (`texels.color`, `faces.u` and `faces.v`, one number for each corner) where any
 * face has a texture; faces without one get a white texel.
 *
 * @returns whether there are textures.
 * @throws for a texture without texture coordinates or the reverse, of no size, or with too few or too many numbers.
 */
export function addTextures(model: Model, wrappings: readonly Wrapping[]): boolean {
  for (const wrapping of wrappings) checkWrapping(wrapping);
  if (!wrappings.some(({ texture }) => texture)) return false;
  const first = new Map<Texture, number>();
  const texels: number[] = [];
  const columns = {
    u: [],
    v: [],
    firstTexel: [],
    textureWidth: [],
    textureHeight: [],
    textureClamps: [],
  } as Record<'u' | 'v' | 'firstTexel' | 'textureWidth' | 'textureHeight' | 'textureClamps', number[]>;
  for (const { faces, texture = WHITE, uvs } of wrappings) {
    if (!first.has(texture)) {
      first.set(texture, texels.length / 3);
      for (let k = 0; k < texture.colors.length; k++) texels.push(texture.colors[k]);
    }
    for (let face = 0; face < faces; face++) {
      for (let corner = 0; corner < 3; corner++) {
        columns.u.push(uvs?.[6 * face + 2 * corner] ?? 0);
        columns.v.push(uvs?.[6 * face + 2 * corner + 1] ?? 0);
      }
      columns.firstTexel.push(first.get(texture)!);
      columns.textureWidth.push(texture.width);
      columns.textureHeight.push(texture.height);
      columns.textureClamps.push(texture.wrap === 'clamp' ? 1 : 0);
    }
  }
  model.addDomain('texels', texels.length / 3);
  model.addField(texelColor, { values: texels });
  for (const [name, values] of Object.entries(columns))
    model.addField('faces', name, name === 'u' || name === 'v' ? vec3 : u32, { values });
  return true;
}

function checkWrapping({ faces, texture, uvs, name }: Wrapping): void {
  if (uvs && uvs.length !== 6 * faces)
    throw new Error(
      `${name} has ${faces} triangles, but ${uvs.length} numbers in uvs: u and v of three corners make ${6 * faces}.`,
    );
  if (!texture) return;
  if (!uvs)
    throw new Error(`${name} has a texture, but no uvs, which say where on the texture its corners lie.`);
  const { width, height, colors, wrap } = texture;
  for (const [side, size] of Object.entries({ width, height })) {
    if (!Number.isInteger(size) || size < 1)
      throw new Error(
        `The ${side} of the texture of ${name} is ${size}: it must be a whole number of at least 1.`,
      );
  }
  if (colors.length !== 3 * width * height)
    throw new Error(
      `The texture of ${name} has ${width} x ${height} texels, but ${colors.length} numbers in colors: red, green and blue make ${3 * width * height}.`,
    );
  if (wrap !== undefined && wrap !== 'repeat' && wrap !== 'clamp')
    throw new Error(
      `The texture of ${name} has wrap ${JSON.stringify(wrap)}; there are 'repeat' and 'clamp'.`,
    );
}
