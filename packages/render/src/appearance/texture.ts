import type { F32, U32, Vec2, Vec3 } from '@gradsim/core';
import { clamp, dot, f32, floor, select } from '@gradsim/core';

/**
 * Texture of a face as kernels read it: index of its first texel among those of all textures, and its size in texels.
 */
export interface TextureOfFace {
  readonly firstTexel: U32;
  readonly textureWidth: U32;
  readonly textureHeight: U32;
  /** 1 if the texture is clamped at its edge, 0 if it repeats. */
  readonly textureClamps: U32;
}

/** Inputs of {@link sampleTexture}, all of them floats or vectors of floats, so that it can be differentiated. */
export type TextureInputs = {
  /** Texture coordinates u (and `v`) of the three corners of the face, 0 to 1 over the texture. */
  readonly u: Vec3;
  readonly v: Vec3;
  /** Width and height in texels, and 1 if the texture is clamped at its edge, else 0. */
  readonly textureSize: Vec3;
  /** Colours of the four texels around the point: upper left, upper right, lower left, lower right. */
  readonly upperLeft: Vec3;
  readonly upperRight: Vec3;
  readonly lowerLeft: Vec3;
  readonly lowerRight: Vec3;
};

/**
 * Position of a texture coordinate along one side of `size` texels, in texels from the centre of the first one: between
 * -1/2 and `size` - 1/2 if the texture repeats, between -1 and `size` if it is clamped.
 */
function texelCoordinate(coordinate: F32, size: F32, clamps: F32): F32 {
  const within = coordinate.sub(floor(coordinate)).mul(size).sub(0.5);
  const clamped = clamp(coordinate.mul(size).sub(0.5), f32(-1), size);
  return select(clamps.gt(0.5), clamped, within);
}

/** Converts a texel index from -1 to `size` along one side to one from 0 to `size` - 1, by wrapping or clamping. */
function wrapTexelIndex(place: F32, size: F32, clamps: F32): U32 {
  const around = select(place.lt(0), place.add(size), select(place.ge(size), place.sub(size), place));
  return select(clamps.gt(0.5), clamp(place, f32(0), size.sub(1)), around).toU32();
}

/**
 * Returns the indices among all texels of the four around a point: upper left, upper right, lower left, lower right.
 */
export function texelsAround(
  { firstTexel, textureWidth, textureHeight, textureClamps }: TextureOfFace,
  uv: Vec2,
): readonly [U32, U32, U32, U32] {
  const clamps = textureClamps.toI32().toF32();
  const side = (coordinate: F32, count: U32): readonly [U32, U32] => {
    const size = count.toI32().toF32();
    const first = floor(texelCoordinate(coordinate, size, clamps));
    return [wrapTexelIndex(first, size, clamps), wrapTexelIndex(first.add(1), size, clamps)];
  };
  const [left, right] = side(uv.x, textureWidth);
  const [upper, lower] = side(uv.y, textureHeight).map((row) => firstTexel.add(row.mul(textureWidth)));
  return [upper.add(left), upper.add(right), lower.add(left), lower.add(right)];
}

/**
 * Bilinear sample of a texture at a point on a face. `weights` are the barycentric weights of the face's corners there.
 */
export function sampleTexture(inputs: TextureInputs, weights: Vec3): Vec3 {
  const { u, v, textureSize, upperLeft, upperRight, lowerLeft, lowerRight } = inputs;
  const fraction = (corners: Vec3, size: F32): F32 => {
    const place = texelCoordinate(dot(corners, weights), size, textureSize.z);
    return place.sub(floor(place));
  };
  const [right, down] = [fraction(u, textureSize.x), fraction(v, textureSize.y)];
  const upper = upperLeft.add(upperRight.sub(upperLeft).mul(right));
  const lower = lowerLeft.add(lowerRight.sub(lowerLeft).mul(right));
  return upper.add(lower.sub(upper).mul(down));
}
