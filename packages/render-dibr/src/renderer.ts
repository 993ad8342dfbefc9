import { bind, f32, u32 } from '@gradsim/core';
import { defineRenderer } from '@gradsim/render/raster';
import { drawColor } from './color.ts';
import { multiplyOpenness } from './open.ts';
import { markOpenTiles } from './open-tiles.ts';
import type { DibrOptions } from './options.ts';
import { DIBR_DEFAULTS, faceRadius } from './options.ts';
import { drawDepth, drawSilhouette } from './shape.ts';

const renderer = defineRenderer<DibrOptions>({
  name: '@gradsim/render-dibr',
  functionName: 'dibr',
  defaults: DIBR_DEFAULTS,
  allowed: { delta: 'positive', compositing: ['nearest', 'coverage'] },
  deviceReach: faceRadius,
  findsNearest: true,
  prepare({ model, shape, settings }) {
    const { drawings, compositing } = settings;
    model.addDomain('tiles', shape.layout.tiles, { elementsTogether: true });
    if (drawings.every((drawing) => drawing === 'depth' || drawing === 'face')) return;
    // The nearest face is searched only if an output shows it.
    const isPainted = compositing === 'coverage' && (drawings.includes('color') || drawings.includes('normal'));
    model.addField('tiles', 'isOpen', u32);
    model.addField('pixels', 'open', f32);
    if (isPainted) model.addField('pixels', 'painted', u32);
    model.addPass('render', markOpenTiles(shape));
    model.addPass('render', multiplyOpenness(shape, settings, isPainted));
  },
  color({ shape, settings }, { drawing, look, background }) {
    const name = drawing === 'color' ? 'dibrColor' : 'dibrNormal';
    const shown = settings.compositing === 'coverage' ? 'painted' : 'shown';
    return bind(drawColor(shape, look, { ...settings, background }, name), { shown });
  },
  silhouette: ({ shape }) => drawSilhouette(shape),
  depth: ({ shape, settings }) => drawDepth(shape, settings),
});

/**
 * Plugin of the interpolation renderer. It needs `render`, whose options set the size of the pictures and the
 * looks of surfaces.
 *
 * ```ts
 * const scene = createScene([rigid(), render({ width: 64, height: 64 }), dibr()]);
 * // ... then record Pixel.rgba and read it with toRows(layoutOf(model), await simulation.readFrames(Pixel.rgba), 4)
 * ```
 *
 * @throws for an unknown option, when delta or near are not positive, or far does not lie beyond near.
 */
export const dibr = renderer.plugin;

/**
 * Creates a model that contains only the renderer: its inputs are the fields of `deviceModel` of
 * `@gradsim/render/raster` and `world.background` (or `pixels.background`), its outputs the pictures.
 *
 * ```ts
 * const { model, layout } = dibrScene({ width: 64, height: 64 }, { vertices, faces });
 * const simulation = await createSimulation(model, {
 *   device, frames: 1, frameRate: 1, substeps: 1, record: ['pixels.rgba'], parameters: ['viewVertices.ndc'],
 * });
 * ```
 */
export const dibrScene = renderer.deviceScene;
