import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { DirectionalLight, OrbitCamera, render } from '@gradsim/render';
import { rigid } from '@gradsim/rigid';
import type { PictureSettings } from '../scenes/renderers.ts';
import { addStillLife } from './still-life.ts';

/** Lighting of a picture: directional and ambient light, highlights and spherical harmonics. */
export interface Light {
  /** Components x and z of the direction towards the light, whose y is 1. */
  readonly x: number;
  readonly z: number;
  readonly color: readonly [number, number, number];
  readonly ambient: readonly [number, number, number];
  readonly specular: readonly [number, number, number];
  readonly shininess: number;
  readonly harmonics: readonly (readonly number[])[];
}

/** True lighting of the pictures in the experiment `light`. */
export const TRUE_LIGHT: Light = {
  x: 0.6,
  z: 0.9,
  color: [0.7, 0.6, 0.4],
  ambient: [0.15, 0.2, 0.3],
  specular: [0.3, 0.35, 0.4],
  shininess: 12,
  harmonics: Array.from({ length: 9 }, (_, k) => [0, 1, 2].map((c) => (k === 0 ? 1.5 : 0.25 * Math.sin(3 * k + c)))),
};
export const START: Light = {
  x: -0.5,
  z: 0.2,
  color: [0.4, 0.4, 0.4],
  ambient: [0.4, 0.4, 0.4],
  specular: [0.1, 0.1, 0.1],
  shininess: 5,
  harmonics: Array.from({ length: 9 }, (_, k) => (k === 0 ? [1, 1, 1] : [0, 0, 0])),
};

/**
 * Kinds of light: `lambert`, a directional and an ambient one; `phong`, the same with highlights; `harmonics`,
 * environment light from all directions.
 */
export const LIGHTS = ['lambert', 'phong', 'harmonics'] as const;
export type LightKind = (typeof LIGHTS)[number];

/**
 * Model of white objects in a light, seen by `views` cameras around them, every other one from below; with 0 views
 * there are four cameras for `harmonics`, one otherwise.
 */
export function litModel(
  { x, z, color, ambient, specular, shininess, harmonics }: Light,
  { light, size, views, renderer }: PictureSettings & { readonly light: LightKind; readonly views: number },
): Model {
  const lit = { lambert: { ambient }, phong: { ambient, shading: 'phong' }, harmonics: { harmonics } } as const;
  const scene = createScene([
    rigid(),
    render({ width: size, height: size, normals: 'vertex', ...lit[light] }),
    renderer({ softness: 1e-5, depthSoftness: 1e-4, near: 0.5, far: 10 }),
  ]);
  addStillLife(scene, 'white');
  // One picture shows no side that is turned away, and harmonics need those.
  const count = views || (light === 'harmonics' ? 4 : 1);
  for (let k = 0; k < count; k++)
    scene.add(OrbitCamera, {
      distance: 3.4,
      elevation: k % 2 ? -0.5 : 0.5,
      azimuth: 0.4 + (2 * Math.PI * k) / count,
      fieldOfView: 0.7,
    });
  const highlights = light === 'phong' ? { specular, shininess } : {};
  if (light !== 'harmonics') scene.add(DirectionalLight, { direction: [x, 1, z], color, ...highlights }, 'the light');
  return buildModel(scene);
}
