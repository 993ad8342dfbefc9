import type { Kernel, Model, Pass, ValueType } from '@gradsim/core';
import { bind, u32, vec2 } from '@gradsim/core';
import type { Drawing, RasterShape } from '@gradsim/render/raster';
import {
  addBackground,
  addFacePasses,
  addNormalColors,
  addPicture,
  faceOfPixel,
  lookOf,
  measuredIn,
  NORMAL_COLORS,
  nearestFace,
} from '@gradsim/render/raster';
import type { RasterSettings } from './options.ts';
import { faceRadius } from './options.ts';
import { drawColor, rasterise } from './rasterise.ts';

/** What a pixel keeps beside the picture of a drawing, for the adjoint: least depth and sum of weights. */
const SOFTMAX: Readonly<Record<Drawing, Readonly<Record<string, ValueType>>>> = {
  normal: { normalSoftmax: vec2 },
  face: {},
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
  given: RasterShape,
  settings: RasterSettings,
  drawings: readonly Drawing[],
  background: readonly number[],
): void {
  if (drawings.includes('color')) addBackground(model, settings.background, background);
  const { doubleSided, evenOutlines } = settings;
  const shape = measuredIn(given, evenOutlines);
  const covering = drawings.includes('face');
  addFacePasses(model, shape, { radius: faceRadius(settings), doubleSided, covering });
  for (const drawing of drawings) {
    addPicture(model, drawing);
    for (const [name, type] of Object.entries(SOFTMAX[drawing])) model.addField('pixels', name, type);
    for (const pass of passesOf(model, shape, settings, drawing)) model.addPass('render', pass);
  }
}

function passesOf(
  model: Model,
  shape: RasterShape,
  settings: RasterSettings,
  drawing: Drawing,
): readonly (Pass | Kernel)[] {
  if (drawing === 'face') {
    model.addField('pixels', 'shown', u32);
    return [nearestFace(shape, settings), faceOfPixel(shape)];
  }
  if (drawing !== 'normal') return [rasterise(shape, lookOf(model), settings, drawing)];
  const draw = drawColor(shape, NORMAL_COLORS, { ...settings, background: 'color' }, 'softNormal');
  return [bind(draw, { ...addNormalColors(model), softmax: 'normalSoftmax' })];
}
