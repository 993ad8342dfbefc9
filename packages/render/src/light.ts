import type { F32, Kernel, Vec3 } from '@gradsim/core';
import {
  abs,
  column,
  cross,
  defineComponent,
  dot,
  f32,
  field,
  fieldOn,
  index,
  kernel,
  mat33,
  max,
  normalize,
  perWorld,
  vec3,
} from '@gradsim/core';

/** A light so far away that its rays are parallel. A scene has at most one. */
export const DirectionalLight = defineComponent(
  'lights',
  {
    /** Direction from the scene towards the light; any length. */
    direction: column(vec3, {
      range: { requirement: 'point to the light', isMet: (direction) => direction.some((d) => d !== 0) },
    }),
    color: column(vec3, { default: 1 }),
    /** Colour of Phong highlights, red, green, blue; they are drawn with `render({ shading: 'phong' })`. */
    specular: column(vec3, { default: 0 }),
    /** Sharpness of highlights: the exponent of the cosine between mirrored light and view vector. */
    shininess: column(f32, { default: 32, range: 'positive' }),
  },
  {},
  { noun: 'light' },
);

/** Field of the ambient light, red, green and blue; initially `render({ ambient })`. */
export const ambientLight = field('world', 'ambient', vec3);

/**
 * Field of the environment light's nine spherical harmonics coefficients, red, green and blue; initially `render({
 * harmonics })`.
 */
export const radianceHarmonics = field('harmonics', 'radiance', vec3);

/** Options of flat shading: one colour per face or per corner, and whether faces are lit from behind too. */
export interface ShadeOptions {
  readonly colors: 'face' | 'corner';
  readonly twoSided: boolean;
}

/**
 * Kernel over `faces` of Lambert's law for flat faces: `color` = albedo (ambient + light max(0, n . l)), or with |n .
 * l| if two-sided; n is the face's normal and l the direction to the light. `color` is one colour per face, or a row
 * for each corner.
 */
export function shade({ colors, twoSided }: ShadeOptions): Kernel {
  const lit = (corners: readonly Vec3[], ambient: Vec3, direction: Vec3, light: Vec3): Vec3 => {
    const [a, b, c] = corners;
    const cosine: F32 = dot(normalize(cross(b.sub(a), c.sub(a))), normalize(direction));
    return ambient.add(light.mul(twoSided ? abs(cosine) : max(cosine, 0)));
  };
  const reads = {
    corners: index('vertices', 3),
    position: fieldOn('vertices', vec3),
    light: index('lights'),
    direction: fieldOn('lights', vec3),
    lightColor: fieldOn('lights', vec3),
    ambient: perWorld(vec3),
  } as const;
  return colors === 'face'
    ? kernel(
        'shadeFaces',
        { domain: 'faces', reads: { ...reads, albedo: vec3 }, writes: { color: vec3 } },
        ({ corners, position, light, direction, lightColor, ambient, albedo }) => ({
          color: albedo.mul(
            lit(
              corners.map((c) => position.at(c)),
              ambient,
              direction.at(light),
              lightColor.at(light),
            ),
          ),
        }),
      )
    : kernel(
        'shadeCorners',
        { domain: 'faces', reads: { ...reads, albedo: fieldOn('vertices', vec3) }, writes: { color: mat33 } },
        ({ corners, position, light, direction, lightColor, ambient, albedo }) => {
          const brightness = lit(
            corners.map((c) => position.at(c)),
            ambient,
            direction.at(light),
            lightColor.at(light),
          );
          return { color: mat33(...corners.flatMap((c) => albedo.at(c).mul(brightness).components)) };
        },
      );
}

/** Kernel that copies albedo to `faces.color`, for looks whose light is computed per pixel. */
export function copyAlbedo(colors: 'face' | 'corner'): Kernel {
  return colors === 'face'
    ? kernel('plainFaces', { domain: 'faces', reads: { albedo: vec3 }, writes: { color: vec3 } }, ({ albedo }) => ({
        color: albedo,
      }))
    : kernel(
        'plainCorners',
        {
          domain: 'faces',
          reads: { corners: index('vertices', 3), albedo: fieldOn('vertices', vec3) },
          writes: { color: mat33 },
        },
        ({ corners, albedo }) => ({ color: mat33(...corners.flatMap((c) => albedo.at(c).components)) }),
      );
}

/** Kernel that sets `faces.color` to albedo times ambient light, for scenes without a directional light. */
export function applyAmbientLight(colors: 'face' | 'corner'): Kernel {
  return colors === 'face'
    ? kernel(
        'tintFaces',
        { domain: 'faces', reads: { ambient: perWorld(vec3), albedo: vec3 }, writes: { color: vec3 } },
        ({ ambient, albedo }) => ({ color: albedo.mul(ambient) }),
      )
    : kernel(
        'tintCorners',
        {
          domain: 'faces',
          reads: { corners: index('vertices', 3), ambient: perWorld(vec3), albedo: fieldOn('vertices', vec3) },
          writes: { color: mat33 },
        },
        ({ corners, ambient, albedo }) => ({
          color: mat33(...corners.flatMap((c) => albedo.at(c).mul(ambient).components)),
        }),
      );
}
