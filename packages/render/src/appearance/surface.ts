import type { Adder, AddSpec, F32, Mat33, OwnAdder, Reader, U32, Vec3 } from '@gradsim/core';
import { adjointOf, f32, fieldOn, mat33, perWorld, u32, vec2, vec3, vjp } from '@gradsim/core';
import type { Colors } from './color.ts';
import { colorAt, colorType } from './color.ts';
import type { SurfaceLook } from './look.ts';
import type { LightInputs } from './shading.ts';
import { litColor } from './shading.ts';
import { drawnTexelColor, pyramidColor, texelColor } from './texel-color.ts';
import type { TextureInputs, TextureOfFace } from './texture.ts';
import { sampleTexture, texelsAround } from './texture.ts';

/*
 * What a place on a face shows is one formula of floats, `surfaceColor`. Renderers call it where they draw; their
 * adjoints, which go over the faces, take its derivative by `vjp`. Records here are typed as if a look needed
 * everything. They hold what it does need, and are asked for nothing else.
 */

const TEXTURE_READS = {
  u: fieldOn('faces', vec3),
  v: fieldOn('faces', vec3),
  firstTexel: fieldOn('faces', u32),
  textureWidth: fieldOn('faces', u32),
  textureHeight: fieldOn('faces', u32),
  textureClamps: fieldOn('faces', u32),
  texels: fieldOn(texelColor),
} as const;
/** Texture fields if there are mip maps: the chosen level of each face and camera, in `viewFaces`. */
const MIP_LEVEL_READS = {
  firstTexel: fieldOn('viewFaces', u32),
  textureWidth: fieldOn('viewFaces', u32),
  textureHeight: fieldOn('viewFaces', u32),
  textureClamps: fieldOn('viewFaces', u32),
  texels: fieldOn(pyramidColor),
} as const;
const LIGHT_READS = { normals: fieldOn('faces', mat33), ambient: perWorld(vec3) } as const;
const DIRECTIONAL_READS = { towardsLight: perWorld(vec3), diffuse: perWorld(vec3) } as const;
const HIGHLIGHT_READS = {
  toEye: fieldOn('viewFaces', mat33),
  specular: perWorld(vec3),
  shininess: perWorld(f32),
} as const;
const HARMONICS_READS = { skyRed: perWorld(mat33), skyGreen: perWorld(mat33), skyBlue: perWorld(mat33) } as const;

/** Specs of the fields that determine the colours of faces with a look, for the `reads` of a kernel. */
export function surfaceFields(look: SurfaceLook) {
  const { light } = look;
  return {
    color: fieldOn('faces', colorType(look.colors)),
    ...(look.textured && TEXTURE_READS),
    ...(look.mipMaps && MIP_LEVEL_READS),
    ...(light && LIGHT_READS),
    ...(light?.directional && DIRECTIONAL_READS),
    ...(light?.highlights && HIGHLIGHT_READS),
    ...(light?.harmonics && HARMONICS_READS),
  } as { readonly color: ReturnType<typeof fieldOn<Vec3, 'faces'>> } & typeof TEXTURE_READS &
    typeof LIGHT_READS &
    typeof DIRECTIONAL_READS &
    typeof HIGHLIGHT_READS &
    typeof HARMONICS_READS;
}

/** Readers that a kernel gets for {@link surfaceFields}. */
export interface SurfaceReaders {
  readonly color: Reader<Vec3>;
  readonly u: Reader<Vec3>;
  readonly v: Reader<Vec3>;
  readonly firstTexel: Reader<U32>;
  readonly textureWidth: Reader<U32>;
  readonly textureHeight: Reader<U32>;
  readonly textureClamps: Reader<U32>;
  readonly texels: Reader<Vec3>;
  readonly normals: Reader<Mat33>;
  readonly toEye: Reader<Mat33>;
  readonly ambient: Vec3;
  readonly towardsLight: Vec3;
  readonly diffuse: Vec3;
  readonly specular: Vec3;
  readonly shininess: F32;
  readonly skyRed: Mat33;
  readonly skyGreen: Mat33;
  readonly skyBlue: Mat33;
}

/** Inputs of the colour of a point that are constant over a face. */
export type FaceInputs = { readonly color: Colors } & Pick<TextureInputs, 'u' | 'v' | 'textureSize'> & LightInputs;
/** Colours of the four texels around a point. */
type Texels = Omit<TextureInputs, 'u' | 'v' | 'textureSize'>;
/** Inputs of {@link surfaceColor}, all floats. `weights` are the barycentric weights of the corners; they sum to 1. */
export type SurfaceInputs = FaceInputs & Texels & { readonly share: Vec3 };

/** A face as seen by a camera: its index in the domain `faces`, and that in `viewFaces`. */
export interface FaceIndices {
  readonly face: U32;
  readonly viewFace: U32;
}

/** Returns the inputs of {@link surfaceColor} that are constant over a face. */
export function faceInputs(look: SurfaceLook, fields: SurfaceReaders, { face, viewFace }: FaceIndices): FaceInputs {
  const { light } = look;
  const { ambient, towardsLight, diffuse, specular, shininess, skyRed, skyGreen, skyBlue } = fields;
  const size = (count: Reader<U32>): F32 =>
    count
      .at(look.mipMaps ? viewFace : face)
      .toI32()
      .toF32();
  return {
    color: fields.color.at(face) as Colors,
    ...(look.textured && {
      u: fields.u.at(face),
      v: fields.v.at(face),
      textureSize: vec3(size(fields.textureWidth), size(fields.textureHeight), size(fields.textureClamps)),
    }),
    ...(light && { normals: fields.normals.at(face), ambient }),
    ...(light?.directional && { towardsLight, diffuse }),
    ...(light?.highlights && { toEye: fields.toEye.at(viewFace), specular, shininess }),
    ...(light?.harmonics && { skyRed, skyGreen, skyBlue }),
  } as FaceInputs;
}

/** Returns the indices of the four texels around a point on a face. */
function texelsOf(
  look: SurfaceLook,
  fields: SurfaceReaders,
  { face, viewFace }: FaceIndices,
  { u, v }: FaceInputs,
  share: Vec3,
) {
  const at = look.mipMaps ? viewFace : face;
  const texture: TextureOfFace = {
    firstTexel: fields.firstTexel.at(at),
    textureWidth: fields.textureWidth.at(at),
    textureHeight: fields.textureHeight.at(at),
    textureClamps: fields.textureClamps.at(at),
  };
  return texelsAround(
    texture,
    vec2(
      u.x.mul(share.x).add(u.y.mul(share.y)).add(u.z.mul(share.z)),
      v.x.mul(share.x).add(v.y.mul(share.y)).add(v.z.mul(share.z)),
    ),
  );
}

/** Returns all inputs of {@link surfaceColor} for a point on a face with barycentric weights `weights`. */
export function surfaceInputs(
  look: SurfaceLook,
  fields: SurfaceReaders,
  point: FaceIndices,
  ofFace: FaceInputs,
  weights: Vec3,
): SurfaceInputs {
  if (!look.textured) return { ...ofFace, share: weights } as SurfaceInputs;
  const [upperLeft, upperRight, lowerLeft, lowerRight] = texelsOf(look, fields, point, ofFace, weights).map((texel) =>
    fields.texels.at(texel),
  );
  return { ...ofFace, share: weights, upperLeft, upperRight, lowerLeft, lowerRight };
}

/** Colour of a point on a face: its own colour, times the texture, lit. */
export function surfaceColor(look: SurfaceLook, inputs: SurfaceInputs): Vec3 {
  const { share } = inputs;
  const own = colorAt(inputs.color, [share.x, share.y, share.z]);
  const color = look.textured ? own.mul(sampleTexture(inputs, share)) : own;
  return look.light ? litColor(look.light, inputs, share, color) : color;
}

/** Adjoint of {@link surfaceColor}: the adjoints of all its inputs, given that of the colour. */
export const surfaceAdjoint = (look: SurfaceLook, inputs: SurfaceInputs, colorBar: Vec3): SurfaceInputs =>
  vjp((given: SurfaceInputs) => ({ color: surfaceColor(look, given) }), inputs, { color: colorBar });

/** Adjoints that a kernel sums over the pixels of a face: of the face's and the light's fields, by name. */
export type SurfaceSums = Omit<FaceInputs, 'textureSize'>;

/** Zeros for all sums of {@link SurfaceSums}. */
export function surfaceZeros(look: SurfaceLook): SurfaceSums {
  const { light } = look;
  const [vector, matrix] = [vec3(0, 0, 0), mat33(...Array<F32>(9).fill(f32(0)))];
  return {
    color: look.colors === 'face' ? vector : matrix,
    ...(look.textured && { u: vector, v: vector }),
    ...(light && { normals: matrix, ambient: vector }),
    ...(light?.directional && { towardsLight: vector, diffuse: vector }),
    ...(light?.highlights && { toEye: matrix, specular: vector, shininess: f32(0) }),
    ...(light?.harmonics && { skyRed: matrix, skyGreen: matrix, skyBlue: matrix }),
  } as SurfaceSums;
}

/** Adds the contribution of one point to the sums of its face. */
export function addSurface(sums: SurfaceSums, bars: SurfaceInputs): SurfaceSums {
  const names = Object.keys(sums) as (keyof SurfaceSums)[];
  // Sums and adjoints of one name have the same type.
  const plus = (name: keyof SurfaceSums) => (sums[name] as F32).add(bars[name] as F32);
  return Object.fromEntries(names.map((name) => [name, plus(name)])) as unknown as SurfaceSums;
}

const adjointName = (name: string): string => `${name}Bar`;

/** The `adds` of an adjoint kernel over faces: specs of the adjoint fields to which {@link addSurfaceAdjoints} adds. */
export function surfaceAdjointSpecs(look: SurfaceLook): Readonly<Record<string, AddSpec>> {
  const { texels: _, ...fields } = surfaceFields(look);
  const floats = Object.entries(fields).filter(([, { type }]) => type.scalar === 'f32');
  return Object.fromEntries(floats.map(([name, spec]) => [adjointName(name), adjointOf(name, spec)]));
}

/** Adds the sums of a face to the adjoints of its fields and of the light. */
export function addSurfaceAdjoints(
  look: SurfaceLook,
  adders: Readonly<Record<string, unknown>>,
  { face, viewFace }: FaceIndices,
  sums: SurfaceSums,
): void {
  const fields = surfaceFields(look);
  for (const [name, sum] of Object.entries(sums)) {
    const { domain } = fields[name as keyof SurfaceSums];
    const adder = adders[adjointName(name)];
    if (domain === 'world') (adder as OwnAdder<unknown>).add(sum);
    else (adder as Adder<unknown>).add(domain === 'faces' ? face : viewFace, sum);
  }
}

/** The `adds` of an adjoint kernel over pixels: the spec of the adjoint field to which {@link addTexelAdjoints} adds. */
export const texelAdjointSpecs = (look: SurfaceLook): Readonly<Record<string, AddSpec>> => ({
  texelsBar: adjointOf('color', fieldOn(drawnTexelColor(look))),
});

/** Adds the output of {@link surfaceAdjoint} to the adjoints of the four texels around a point. */
export function addTexelAdjoints(
  look: SurfaceLook,
  fields: SurfaceReaders,
  { texelsBar }: Readonly<Record<string, unknown>>,
  point: FaceIndices,
  inputs: SurfaceInputs,
  bars: SurfaceInputs,
): void {
  const four = [bars.upperLeft, bars.upperRight, bars.lowerLeft, bars.lowerRight];
  texelsOf(look, fields, point, inputs, inputs.share).forEach((texel, k) =>
    (texelsBar as Adder<Vec3>).add(texel, four[k]),
  );
}
