import type { F32, Mat33, Vec3 } from '@gradsim/core';
import { abs, dot, f32, max, normalize, pow, select, vec3 } from '@gradsim/core';
import type { PixelLight } from './look.ts';

/** Inputs of {@link litColor}. Directions may have any length. */
export type LightInputs = {
  /** Normals at the three corners, as rows. */
  readonly normals: Mat33;
  readonly ambient: Vec3;
  readonly towardsLight: Vec3;
  readonly diffuse: Vec3;
  /** Vectors from the three corners to the camera's position, as rows. */
  readonly toEye: Mat33;
  readonly specular: Vec3;
  readonly shininess: F32;
  /** Nine spherical harmonics coefficients of each colour, row by row in a 3 x 3 matrix. */
  readonly skyRed: Mat33;
  readonly skyGreen: Mat33;
  readonly skyBlue: Mat33;
};

/** Mean of the three rows of a matrix, weighted by x, y, z. */
export function weightedRow(rows: Mat33, { x, y, z }: Vec3): Vec3 {
  return rows.row(0).mul(x).add(rows.row(1).mul(y)).add(rows.row(2).mul(z));
}

/**
 * Colour of a point on a face under light. `weights` are the barycentric weights of the corners, `color` the surface
 * colour; `light` says which of Lambert's law, Phong highlights and spherical harmonics are computed. Source:
 * PHYSICS.md, Appearance.
 */
export function litColor(light: PixelLight, inputs: LightInputs, weights: Vec3, color: Vec3): Vec3 {
  const normal = normalize(weightedRow(inputs.normals, weights));
  let brightness = inputs.ambient;
  if (light.harmonics) brightness = brightness.add(skyLightAt(inputs, normal));
  if (!light.directional) return color.mul(brightness);
  const towards = normalize(inputs.towardsLight);
  const cosine = dot(normal, towards);
  const falling = light.twoSided ? abs(cosine) : max(cosine, 0);
  const matt = color.mul(brightness.add(inputs.diffuse.mul(falling)));
  if (!light.highlights) return matt;
  const mirrored = normal.mul(cosine.mul(2)).sub(towards);
  const along = dot(mirrored, normalize(weightedRow(inputs.toEye, weights)));
  const shines = falling.gt(0).and(along.gt(0));
  const highlight = select(shines, pow(select(shines, along, f32(1)), inputs.shininess), f32(0));
  return matt.add(inputs.specular.mul(highlight));
}

/** Environment light on a surface with the given unit normal, by nine real spherical harmonics. */
function skyLightAt({ skyRed, skyGreen, skyBlue }: LightInputs, { x, y, z }: Vec3): Vec3 {
  const harmonics = [
    f32(0.282095),
    y.mul(0.488603),
    z.mul(0.488603),
    x.mul(0.488603),
    x.mul(y).mul(1.092548),
    y.mul(z).mul(1.092548),
    z.mul(z).mul(3).sub(1).mul(0.315392),
    x.mul(z).mul(1.092548),
    x.mul(x).sub(y.mul(y)).mul(0.546274),
  ];
  const sum = (sky: Mat33): F32 =>
    harmonics.map((y, k) => sky.entry(Math.floor(k / 3), k % 3).mul(y)).reduce((a, b) => a.add(b));
  return vec3(sum(skyRed), sum(skyGreen), sum(skyBlue));
}
