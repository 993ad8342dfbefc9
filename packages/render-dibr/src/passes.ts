import type { Kernel, Model, Pass } from '@gradsim/core';
import { bind, f32, u32 } from '@gradsim/core';
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
import { drawColor } from './color.ts';
import { openPixels } from './open.ts';
import { openTiles } from './open-tiles.ts';
import type { DibrSettings } from './options.ts';
import { faceRadius } from './options.ts';
import { drawDepth, drawSilhouette } from './shape.ts';

/**
 * Adds the passes of the renderer to a model that has `viewVertices` (`ndc`), `viewFaces` (`corners`, `face`), `faces`
 * and `pixels`; for colours also what {@link lookOf} says. Adds `background`, over `world` or `pixels`.
 */
export function addDibrPasses(
  model: Model,
  drawn: RasterShape,
  given: DibrSettings,
  drawings: readonly Drawing[],
  background: readonly number[],
): void {
  if (drawings.includes('color')) addBackground(model, given.background, background);
  const shape = measuredIn(drawn, given.evenOutlines);
  // What is next to a pixel is looked for only where something shows it.
  const isSoft = given.compositing === 'coverage' && (drawings.includes('color') || drawings.includes('normal'));
  const settings: DibrSettings = { ...given, compositing: isSoft ? 'coverage' : 'nearest' };
  addFacePasses(model, shape, {
    radius: faceRadius(settings),
    doubleSided: settings.doubleSided,
    covering: true,
  });
  model.addDomain('tiles', shape.layout.tiles, { elementsTogether: true });
  model.addField('pixels', 'shown', u32);
  model.addPass('render', nearestFace(shape, settings));
  if (drawings.some((drawing) => drawing !== 'depth' && drawing !== 'face')) {
    model.addField('tiles', 'isOpen', u32);
    model.addField('pixels', 'open', f32);
    if (isSoft) model.addField('pixels', 'painted', u32);
    model.addPass('render', openTiles(shape));
    model.addPass('render', openPixels(shape, settings));
  }
  const shown = isSoft ? 'painted' : 'shown';
  const draw: Readonly<Record<Drawing, () => Kernel | Pass>> = {
    color: () => bind(drawColor(shape, lookOf(model), settings), { shown }),
    silhouette: () => drawSilhouette(shape),
    depth: () => drawDepth(shape, settings),
    normal: () =>
      bind(drawColor(shape, NORMAL_COLORS, { ...settings, background: 'color' }, 'dibrNormal'), {
        ...addNormalColors(model),
        shown,
      }),
    face: () => faceOfPixel(shape),
  };
  for (const drawing of drawings) {
    addPicture(model, drawing);
    model.addPass('render', draw[drawing]());
  }
}
