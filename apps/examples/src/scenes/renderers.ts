import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from '@gradsim/core';
import type { Setting } from '@gradsim/optim';
import { wholeSetting } from '@gradsim/optim';
import type { RendererOptions } from '@gradsim/render/raster';
import { dibr } from '@gradsim/render-dibr';
import { softRas } from '@gradsim/render-softras';

/** Options of a scene's pictures, in terms that apply to any renderer. */
export interface SceneDrawing extends RendererOptions {
  /** Softness of outlines: squared distance in device coordinates over which they fall off. */
  readonly softness: number;
  /** Softness of depth (`gamma` of `softRas`), for renderers that blend faces at different depths. */
  readonly depthSoftness?: number;
  /**
   * True if the observed pictures have a mask, alpha, which shows outlines. Colours are then composited by the
   * published formulas; without a mask they are composited by coverage, so that colours show outlines.
   */
  readonly isMasked?: boolean;
}

/** Creates the renderer plugin for a drawing of a scene. */
export type SceneRenderer = (drawing: SceneDrawing) => Plugin;

/** Renderers by the names that the setting `renderer` accepts. */
export const RENDERERS = {
  softras: ({ softness, depthSoftness, isMasked, ...shared }) =>
    softRas({
      sigma: softness,
      gamma: depthSoftness,
      compositing: isMasked ? 'softmax' : 'coverage',
      ...shared,
    }),
  dibr: ({ softness, depthSoftness: _, isMasked, ...shared }) =>
    dibr({ delta: softness, compositing: isMasked ? 'nearest' : 'coverage', ...shared }),
} as const satisfies Readonly<Record<string, SceneRenderer>>;

/**
 * Returns the renderer that a setting names: `softras`, `dibr`, or the path, relative to the current folder, of a
 * module whose default export creates a plugin from {@link RendererOptions}, as `dibr` does. A renderer of a module has
 * its own default softness.
 *
 * ```ts
 * const renderer = await rendererOf('dibr');
 * const scene = createScene([rigid(), render({ width: 64, height: 64 }), renderer({ softness: 1e-4 })]);
 * ```
 * @throws for an unknown name, and for a module that is missing, fails, or has no such default export.
 */
export async function rendererOf(setting: string = 'softras'): Promise<SceneRenderer> {
  if (Object.hasOwn(RENDERERS, setting)) return RENDERERS[setting as keyof typeof RENDERERS];
  const what = `The setting renderer is "${setting}"`;
  const names = Object.keys(RENDERERS).join(', ');
  if (!/[./\\]/.test(setting))
    throw new Error(`${what}; it is one of ${names}, or the path of a module, such as ./points.ts.`);
  const file = resolve(setting);
  if (!existsSync(file)) throw new Error(`${what}, but there is no file ${file}.`);
  const create = await defaultExport(what, file);
  if (typeof create !== 'function')
    throw new Error(
      `${what}, but its default export is no function; write \`export default defineRenderer({ ... }).plugin\`, of @gradsim/render/raster.`,
    );
  return ({ softness: _, depthSoftness: __, isMasked: ___, ...shared }) => {
    const plugin: Plugin = create(shared);
    if (typeof plugin?.name !== 'string')
      throw new Error(`${what}, but its default export gave no plugin, which definePlugin makes.`);
    return plugin;
  };
}

/** Setting `renderer`, read by {@link rendererOf}. */
export const rendererSetting: Setting<SceneRenderer> = { read: (name) => rendererOf(name) };

/**
 * Settings of an experiment that renders its film: `size`, the width and also height of the pictures, px, and
 * `renderer`.
 */
export const pictureSettings = (size: number, least = 16) => ({
  size: wholeSetting(size, { least }),
  renderer: rendererSetting,
});

/** Values of {@link pictureSettings}. */
export interface PictureSettings {
  readonly size: number;
  readonly renderer: SceneRenderer;
}

async function defaultExport(what: string, file: string): Promise<unknown> {
  try {
    const module: { readonly default?: unknown } = await import(pathToFileURL(file).href);
    return module.default;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${what}, which cannot be loaded: ${reason}`, { cause: error });
  }
}
