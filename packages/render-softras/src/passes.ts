import type { Model } from '@gradsim/core';
import { f32, mat33, u32, vec2, vec3, vec4 } from '@gradsim/core';
import { columnBins, groupBins, rowBins, tileBins } from './bins.ts';
import { FACE_LANES } from './bounds.ts';
import { faceBounds, faceCorners } from './corners.ts';
import type { Drawing, RasterSettings } from './options.ts';
import { faceOutlines } from './outline.ts';
import { rasterise } from './rasterise.ts';
import type { RasterShape } from './scene.ts';
import { maskSizes } from './scene.ts';

/** The fields over `pixels` that a drawing writes; the first is the picture. */
const PICTURES = {
  color: { rgba: vec4, softmax: vec2 },
  silhouette: { alpha: f32 },
  depth: { depth: f32, depthSoftmax: vec2 },
} as const;

/**
 * Adds the passes of the rasteriser to a model that has `viewVertices` (`ndc`), `viewFaces` (`corners`, `face`),
 * `faces` and `pixels`; for colours also `faces.color`. Adds `background`, over `world` or `pixels`.
 */
export function addRasterPasses(
  model: Model,
  shape: RasterShape,
  settings: RasterSettings,
  drawings: readonly Drawing[],
  background: readonly number[],
): void {
  const { rowWords, columnWords, tileWords, tileGroups } = maskSizes(shape);
  const together = { elementsTogether: true };
  for (const name of ['screen', 'heights', 'spans']) model.addField('viewFaces', name, mat33);
  for (const name of ['firstColumn', 'endColumn', 'firstRow', 'endRow'])
    model.addField('viewFaces', name, u32);
  addFaceLanes(model, shape);
  model.addDomain('rowWords', rowWords, together);
  model.addDomain('columnWords', columnWords, together);
  model.addDomain('tileWords', tileWords, together);
  model.addDomain('tileGroups', tileGroups, together);
  model.addField('rowWords', 'rowMask', u32);
  model.addField('columnWords', 'columnMask', u32);
  model.addField('tileWords', 'tileMask', u32);
  model.addField('tileGroups', 'groupMask', u32);
  if (drawings.includes('color')) {
    model.addField(settings.background === 'image' ? 'pixels' : 'world', 'background', vec3, {
      fill: background,
    });
  }
  model.addPass('render', faceCorners);
  model.addPass('render', faceOutlines);
  model.addPass('render', faceBounds(shape, settings));
  model.addPass('render', rowBins(shape));
  model.addPass('render', columnBins(shape));
  model.addPass('render', tileBins(shape, settings));
  model.addPass('render', groupBins(shape));
  for (const drawing of drawings) {
    for (const [name, type] of Object.entries(PICTURES[drawing])) model.addField('pixels', name, type);
    model.addPass('render', rasterise(shape, settings, drawing));
  }
}

/** The domain in which adjoints go over the faces: `FACE_LANES` invocations for each. */
function addFaceLanes(model: Model, { layout, faces }: RasterShape): void {
  const count = layout.cameras * faces * FACE_LANES;
  const viewFace = Uint32Array.from({ length: count }, (_, k) => Math.floor(k / FACE_LANES));
  model.addDomain('faceLanes', count, { elementsTogether: true });
  model.addIndex('faceLanes', 'viewFace', 'viewFaces', 1, viewFace);
  model.addIndex(
    'faceLanes',
    'face',
    'faces',
    1,
    viewFace.map((k) => k % faces),
  );
}
