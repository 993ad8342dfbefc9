import type { Model } from '@gradsim/core';
import type { ImageLayout, ImageSize } from '@gradsim/render';
import type { DeviceLook, DeviceMesh, Drawing } from '@gradsim/render/raster';
import { deviceModel } from '@gradsim/render/raster';
import type { SoftRasOptions } from './options.ts';
import { softRasOptions } from './options.ts';
import { addRasterPasses } from './passes.ts';

/** How {@link deviceScene} draws a mesh. */
export interface DeviceSceneOptions extends SoftRasOptions, DeviceLook {
  readonly drawings?: readonly Drawing[];
  readonly backgroundColor?: readonly number[];
}

/**
 * A model that is nothing but the rasteriser, its inputs those of `deviceModel` of `@gradsim/render/raster` and
 * `world.background` (or `pixels.background`), pictures its outputs.
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
  options: DeviceSceneOptions = {},
): { model: Model; layout: ImageLayout } {
  const { drawings = ['color'], backgroundColor = [0, 0, 0], colors, light, ...rest } = options;
  const { model, shape } = deviceModel(size, mesh, { colors, light });
  addRasterPasses(model, shape, softRasOptions(rest), drawings, backgroundColor);
  return { model, layout: shape.layout };
}
