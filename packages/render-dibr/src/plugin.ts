import type { Plugin } from '@gradsim/core';
import { definePlugin, refuseUnknownOptions } from '@gradsim/core';
import type { RendererOptions } from '@gradsim/render/raster';
import { checkPictures, rasterShape } from '@gradsim/render/raster';
import type { DibrOptions } from './options.ts';
import { DIBR_DEFAULTS, dibrOptions } from './options.ts';
import { addDibrPasses } from './passes.ts';

/** What {@link dibr} is told. */
export interface DibrPluginOptions extends DibrOptions, RendererOptions {}

const PLUGIN_OPTIONS = { ...DIBR_DEFAULTS, drawings: ['color'], backgroundColor: [0, 0, 0] };

/**
 * The interpolation renderer. Register it with `render`, which says how large the pictures are and how surfaces look.
 *
 * ```ts
 * const scene = createScene([rigid(), render({ width: 64, height: 64 }), dibr()]);
 * // ... then record 'pixels.rgba' and read it with toRows(layoutOf(model), await simulation.readFrames('pixels.rgba'), 4)
 * ```
 *
 * @throws for settings that {@link dibrOptions} refuses.
 */
export function dibr(options: DibrPluginOptions = {}): Plugin {
  refuseUnknownOptions<DibrPluginOptions>('dibr', options, PLUGIN_OPTIONS);
  const { drawings = ['color'], backgroundColor = [0, 0, 0], ...rest } = options;
  const settings = dibrOptions(rest);
  checkPictures('dibr', { drawings, backgroundColor });
  return definePlugin({
    name: '@gradsim/render-dibr',
    contract: 1,
    requires: ['@gradsim/render'],
    build: ({ model }) => addDibrPasses(model, rasterShape(model), settings, drawings, backgroundColor),
  });
}
