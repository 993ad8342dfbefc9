import type { Model } from '@gradsim/core';
import { vec3 } from '@gradsim/core';
import type { SurfaceLook } from '../appearance/look.ts';
import { addNormals } from '../appearance/passes.ts';
import { Pixel } from '../pixel.ts';
import type { Background } from './background.ts';

/**
 * Names of the outputs that a renderer can draw, each into a field over `pixels`; see {@link RendererOptions.drawings}.
 */
export type Drawing = 'color' | 'silhouette' | 'depth' | 'normal' | 'face';

/** Options that all renderers share. */
export interface RendererOptions {
  /**
   * Outputs to draw, in fields over `pixels`: `color` writes `rgba`; `silhouette` writes `alpha`; `depth` writes
   * `depth`, m; `normal` writes `normal`, x, y, z in world axes and alpha, all 0 where no face is; `face` writes
   * `face`, the index in the domain `faces` of the nearest face that covers the pixel, or the number of faces if none
   * does. Default: `color`, of a renderer that can draw it.
   */
  readonly drawings?: readonly Drawing[];
  /** One background colour (the field `world.background`), or one per pixel (`pixels.background`). */
  readonly background?: Background;
  /** Background red, green, blue in [0, 1]; if `background` is `image`, the initial colour of all pixels. */
  readonly backgroundColor?: readonly [number, number, number];
  /** Range of depth along the viewing axis in which faces are visible, m. */
  readonly near?: number;
  readonly far?: number;
  /**
   * True to make outlines equally soft in both directions of a picture that is not square: distances are then in units
   * of half its height. False, the default and the published form, measures in device coordinates, where the unit of x
   * is half the picture's width and that of y half its height.
   */
  readonly evenOutlines?: boolean;
  /** True if faces seen from behind are drawn. */
  readonly doubleSided?: boolean;
}

/** Defaults of {@link RendererOptions}. */
export const RENDERER_DEFAULTS: Required<RendererOptions> = {
  drawings: ['color'],
  background: 'color',
  backgroundColor: [0, 0, 0],
  near: 0.1,
  far: 100,
  evenOutlines: false,
  doubleSided: true,
};

const PICTURE_FIELDS = {
  color: Pixel.rgba,
  silhouette: Pixel.alpha,
  depth: Pixel.depth,
  normal: Pixel.normal,
  face: Pixel.face,
} as const;

/** Adds the field over `pixels` that an output is written to. */
export function addPicture(model: Model, drawing: Drawing): void {
  model.addField(PICTURE_FIELDS[drawing]);
}

/**
 * Adds the fields to draw normals as corner colours, and returns their names: those that a kernel drawing colours uses
 * for the `color` of faces, its output `rgba` and the `background` of the world.
 */
export function addNormalColors(model: Model): Readonly<Record<'color' | 'rgba' | 'background', string>> {
  addNormals(model);
  model.addField('world', 'noNormal', vec3, { fill: 0 });
  return { color: 'normals', rgba: 'normal', background: 'noNormal' };
}

/** Look with which normals are drawn: untextured, unlit corner colours. */
export const NORMAL_COLORS: SurfaceLook = {
  colors: 'corner',
  textured: false,
  mipMaps: false,
  light: null,
  normals: 'given',
};
