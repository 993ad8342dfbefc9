import { bind, vec2 } from '@gradsim/core';
import { defineRenderer } from '@gradsim/render/raster';
import { addAreas, faceRadius } from './coverage.ts';
import type { SoftRasOptions } from './options.ts';
import { SOFTRAS_DEFAULTS } from './options.ts';
import { drawColor, drawDepth, drawSilhouette } from './rasterise.ts';

const renderer = defineRenderer<SoftRasOptions>({
  name: '@gradsim/render-softras',
  functionName: 'softRas',
  defaults: SOFTRAS_DEFAULTS,
  allowed: { sigma: 'positive', gamma: 'positive', compositing: ['softmax', 'coverage', 'area'] },
  deviceReach: (settings, shape) => faceRadius(shape, settings),
  // Besides its picture a pixel stores the least depth and the sum of weights, for the adjoint.
  color({ model, shape, settings }, { drawing, look, background }) {
    const softmax = drawing === 'color' ? 'softmax' : 'normalSoftmax';
    model.addField('pixels', softmax, vec2);
    const name = drawing === 'color' ? 'softColor' : 'softNormal';
    const areas = addAreas(model, settings, `${drawing}Areas`);
    return bind(drawColor(shape, look, { ...settings, background }, name), { softmax, ...areas });
  },
  silhouette: ({ model, shape, settings }) =>
    bind(drawSilhouette(shape, settings), addAreas(model, settings, 'silhouetteAreas')),
  depth({ model, shape, settings }) {
    model.addField('pixels', 'depthSoftmax', vec2);
    return drawDepth(shape, settings);
  },
});

/**
 * Plugin of the soft rasteriser. It needs `render`, whose options set the size of the pictures and the colours
 * of faces.
 *
 * ```ts
 * const scene = createScene([rigid(), render({ width: 64, height: 64 }), softRas({ sigma: 1e-4 })]);
 * // ... then record Pixel.rgba and read it with toRows(layoutOf(model), await simulation.readFrames(Pixel.rgba), 4)
 * ```
 *
 * @throws for an unknown option, when sigma, gamma or near are not positive, or far does not lie beyond near.
 */
export const softRas = renderer.plugin;

/** Returns the options of {@link softRas} with defaults filled in. @throws for unknown options and invalid values. */
export const softRasOptions = renderer.settingsOf;

/**
 * Creates a model that contains only the rasteriser: its inputs are the fields of `deviceModel` of
 * `@gradsim/render/raster` and `world.background` (or `pixels.background`), its outputs the pictures.
 *
 * ```ts
 * const { model, layout } = softRasScene({ width: 64, height: 64 }, { vertices, faces });
 * const simulation = await createSimulation(model, {
 *   device, frames: 1, frameRate: 1, substeps: 1, record: ['pixels.rgba'], parameters: ['viewVertices.ndc'],
 * });
 * ```
 */
export const softRasScene = renderer.deviceScene;
