import type { Model, ValueType } from '@gradsim/core';
import { vec2 } from '@gradsim/core';
import type { Drawing, RasterShape } from '@gradsim/render/raster';
import { addBackground, addFacePasses, addPicture, lookOf } from '@gradsim/render/raster';
import type { RasterSettings } from './options.ts';
import { faceRadius } from './options.ts';
import { rasterise } from './rasterise.ts';

/** What a pixel keeps beside the picture of a drawing, for the adjoint: least depth and sum of weights. */
const SOFTMAX: Readonly<Record<Drawing, Readonly<Record<string, ValueType>>>> = {
  color: { softmax: vec2 },
  silhouette: {},
  depth: { depthSoftmax: vec2 },
};

/**
 * Adds the passes of the rasteriser to a model that has `viewVertices` (`ndc`), `viewFaces` (`corners`, `face`),
 * `faces` and `pixels`; for colours also what {@link lookOf} says. Adds `background`, over `world` or `pixels`.
 */
export function addRasterPasses(
  model: Model,
  shape: RasterShape,
  settings: RasterSettings,
  drawings: readonly Drawing[],
  background: readonly number[],
): void {
  if (drawings.includes('color')) addBackground(model, settings.background, background);
  addFacePasses(model, shape, { radius: faceRadius(settings), doubleSided: settings.doubleSided });
  for (const drawing of drawings) {
    addPicture(model, drawing);
    for (const [name, type] of Object.entries(SOFTMAX[drawing])) model.addField('pixels', name, type);
    model.addPass('render', rasterise(shape, lookOf(model), settings, drawing));
  }
}
