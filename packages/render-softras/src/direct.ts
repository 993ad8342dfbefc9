import type { Model } from '@gradsim/core';
import type { ImageLayout, ImageSize } from '@gradsim/render';
import type { DeviceMesh, Drawing } from '@gradsim/render/raster';
import { deviceModel } from '@gradsim/render/raster';
import type { SoftRasOptions } from './options.ts';
import { softRasOptions } from './options.ts';
import { addRasterPasses } from './passes.ts';

/**
 * A model that is nothing but the rasteriser: vertices in device coordinates and colours are its inputs,
 * `viewVertices.ndc`, `faces.color` and `world.background` (or `pixels.background`), pictures its outputs.
 *
 * ```ts
 * const { model, layout } = deviceScene({ width: 64, height: 64 }, { vertices, faces });
 * const simulation = await createSimulation(model, {
 *   device, frames: 1, frameRate: 1, substeps: 1, record: ['pixels.rgba'], parameters: ['viewVertices.ndc'],
 * });
 * ```
 */
export function deviceScene(
  size: ImageSize,
  mesh: DeviceMesh,
  options: SoftRasOptions = {},
  drawings: readonly Drawing[] = ['color'],
  background: readonly number[] = [0, 0, 0],
): { model: Model; layout: ImageLayout } {
  const settings = softRasOptions(options);
  const { model, shape } = deviceModel(size, mesh, settings.colors);
  addRasterPasses(model, shape, settings, drawings, background);
  return { model, layout: shape.layout };
}
