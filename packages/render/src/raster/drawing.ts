import type { Model } from '@gradsim/core';
import { vec3 } from '@gradsim/core';
import type { Look } from '../appearance/look.ts';
import { addNormals } from '../appearance/passes.ts';
import { Pixel } from '../pixel.ts';
import type { Background } from './background.ts';

/** Outputs that a renderer can draw, each a field over `pixels`: `rgba`, `alpha`, `depth`, `normal` or `face`. */
export type Drawing = 'color' | 'silhouette' | 'depth' | 'normal' | 'face';

/** Options that all renderers share. */
export interface RendererOptions {
  /**
   * Outputs to draw, in fields over `pixels`: `color` writes `rgba`, `silhouette` writes `alpha`, `depth` writes
   * `depth`; `normal` writes `normal`, in world axes, followed by alpha, 0 where nothing is; `face` writes `face`, the
   * number among `faces` of the nearest one that covers the pixel, or the number of faces if none does.
   */
  readonly drawings?: readonly Drawing[];
  /** One background colour (the field `world.background`), or one per pixel (`pixels.background`). */
  readonly background?: Background;
  /** Background red, green, blue; initially of every pixel if `background` is `image`. */
  readonly backgroundColor?: readonly [number, number, number];
  /** Depth range in which faces are visible, along the viewing axis, m. */
  readonly near?: number;
  readonly far?: number;
  /**
   * True if outlines are equally soft in both directions of a picture that is not square: distances are then measured
   * in halves of its height; in device coordinates x is in halves of its width. Default false, as published.
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

const PICTURES = {
  color: Pixel.rgba,
  silhouette: Pixel.alpha,
  depth: Pixel.depth,
  normal: Pixel.normal,
  face: Pixel.face,
} as const;

/** Adds the field of an output picture. */
export function addPicture(model: Model, drawing: Drawing): void {
  model.addField(PICTURES[drawing]);
}

/**
 * Draws normals as corner colours: returns the names by which a kernel that draws colours finds its fields, `color` of
 * faces and `background` of the world among them.
 */
export function addNormalColors(model: Model): Readonly<Record<'color' | 'rgba' | 'background', string>> {
  addNormals(model);
  model.addField('world', 'noNormal', vec3, { fill: 0 });
  return { color: 'normals', rgba: 'normal', background: 'noNormal' };
}

/** Look of {@link addNormalColors}. */
export const NORMAL_COLORS: Look = {
  colors: 'corner',
  textured: false,
  mipMaps: false,
  light: null,
  normals: 'given',
};
