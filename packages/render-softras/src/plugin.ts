import type { Plugin } from '@gradsim/core';
import { definePlugin, refuseUnknownOptions } from '@gradsim/core';
import type { RendererOptions } from '@gradsim/render/raster';
import { checkPictures, rasterShape } from '@gradsim/render/raster';
import type { SoftRasOptions } from './options.ts';
import { SOFTRAS_DEFAULTS, softRasOptions } from './options.ts';
import { addRasterPasses } from './passes.ts';

/** What {@link softRas} is told. */
export interface SoftRasPluginOptions extends SoftRasOptions, RendererOptions {}

const PLUGIN_OPTIONS = { ...SOFTRAS_DEFAULTS, drawings: ['color'], backgroundColor: [0, 0, 0] };

/**
 * The soft rasteriser. Register it after `render`, which says how large the pictures are and how faces are coloured.
 *
 * ```ts
 * const scene = createScene([rigid(), render({ width: 64, height: 64 }), softRas({ sigma: 1e-4 })]);
 * // ... then record 'pixels.rgba' and read it with toRows(layoutOf(model), await simulation.readFrames('pixels.rgba'), 4)
 * ```
 *
 * @throws for settings that {@link softRasOptions} refuses.
 */
export function softRas(options: SoftRasPluginOptions = {}): Plugin {
  refuseUnknownOptions<SoftRasPluginOptions>('softRas', options, PLUGIN_OPTIONS);
  const { drawings = ['color'], backgroundColor = [0, 0, 0], ...rest } = options;
  const settings = softRasOptions(rest);
  checkPictures('softRas', { drawings, backgroundColor });
  return definePlugin({
    name: '@gradsim/render-softras',
    contract: 1,
    requires: ['@gradsim/render'],
    build: ({ model }) => addRasterPasses(model, rasterShape(model), settings, drawings, backgroundColor),
  });
}
