import type { Model } from '@gradsim/core';
import { vec3 } from '@gradsim/core';
import type { Look } from '../appearance/look.ts';
import { addNormals } from '../appearance/passes.ts';
import { Pixel } from '../pixel.ts';
import type { Background } from './background.ts';

/** What a renderer can draw: each has a field over `pixels`, `rgba`, `alpha`, `depth`, `normal` or `face`. */
export type Drawing = 'color' | 'silhouette' | 'depth' | 'normal' | 'face';

/** Options that all renderers share. */
export interface RendererOptions {
  /**
   * What to draw, in fields over `pixels`: `color` gives `rgba`, `silhouette` gives `alpha`, `depth` gives `depth`; `normal`
   * gives `normal`, in world axes, with alpha behind it, 0 where nothing is; `face` gives `face`, the number among `faces` of
   * the nearest one that covers the pixel, or how many there are where none does.
   */
  readonly drawings?: readonly Drawing[];
  /** One background colour (the field `world.background`), or one a pixel (`pixels.background`). */
  readonly background?: Background;
  /** Red, green, blue behind everything, or at first of every pixel when `background` is `image`. */
  readonly backgroundColor?: readonly [number, number, number];
  /** Depths between which faces are seen, along the viewing axis. */
  readonly near?: number;
  readonly far?: number;
  /**
   * Whether outlines are equally soft in both directions of a picture that is not square: distances are then measured in
   * halves of its height; in device coordinates x goes by halves of its width. Default false, as published.
   */
  readonly evenOutlines?: boolean;
  /** Whether faces seen from behind are drawn. */
  readonly doubleSided?: boolean;
}

/** Values of {@link RendererOptions} unless given. */
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

/** Adds the field of a drawing's picture. */
export function addPicture(model: Model, drawing: Drawing): void {
  model.addField(PICTURES[drawing]);
}

/**
 * Has normals drawn as colours at corners are: what to call the fields of a kernel that draws such colours, `color` of
 * faces and `background` of the world among them.
 */
export function addNormalColors(model: Model): Readonly<Record<'color' | 'rgba' | 'background', string>> {
  addNormals(model);
  model.addField('world', 'noNormal', vec3, { fill: 0 });
  return { color: 'normals', rgba: 'normal', background: 'noNormal' };
}

/** How {@link addNormalColors} looks. */
export const NORMAL_COLORS: Look = {
  colors: 'corner',
  textured: false,
  mipMaps: false,
  light: null,
  normals: 'given',
};
