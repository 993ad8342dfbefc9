import type { Model } from '@gradsim/core';
import { bind, mat33, u32 } from '@gradsim/core';
import { COVERING_MASKS, columnBins, groupBins, NEAR_MASKS, rowBins, tileBins } from './bins.ts';
import type { FaceReach } from './corners.ts';
import { faceBounds, faceCorners } from './corners.ts';
import { FACE_LANES } from './face-pixels.ts';
import { faceOutlines } from './outline.ts';
import type { RasterShape } from './shape.ts';
import { maskSizes } from './shape.ts';

/**
 * Adds the passes that prepare the faces of a model with `viewVertices` (`ndc`) and `viewFaces` (`corners`): the bounds
 * of the pixels to which each may contribute, its geometry, and masks of the faces of each tile. Later kernels over
 * `pixels` can loop over the faces of a pixel with {@link overFaces}, and kernels over `faceLanes` over the pixels of a
 * face with {@link overPixels}.
 */
export function addFacePasses(model: Model, shape: RasterShape, reach: FaceReach): void {
  const { rowWords, columnWords, tileWords, tileGroups } = maskSizes(shape);
  const together = { elementsTogether: true };
  for (const name of ['screen', 'heights', 'spans']) model.addField('viewFaces', name, mat33);
  for (const name of ['isCut', 'firstColumn', 'endColumn', 'firstRow', 'endRow'])
    model.addField('viewFaces', name, u32);
  addFaceLanes(model, shape);
  model.addDomain('rowWords', rowWords, together);
  model.addDomain('columnWords', columnWords, together);
  model.addDomain('tileWords', tileWords, together);
  model.addDomain('tileGroups', tileGroups, together);
  model.addField('rowWords', 'rowMask', u32);
  model.addField('columnWords', 'columnMask', u32);
  const masks = reach.covering ? [NEAR_MASKS, COVERING_MASKS] : [NEAR_MASKS];
  for (const { tileMask, groupMask } of masks) {
    model.addField('tileWords', tileMask, u32);
    model.addField('tileGroups', groupMask, u32);
  }
  model.addPass('render', faceCorners(shape));
  model.addPass('render', faceOutlines);
  model.addPass('render', faceBounds(shape, reach));
  model.addPass('render', rowBins(shape));
  model.addPass('render', columnBins(shape));
  model.addPass('render', tileBins(shape, reach.deviceReach, reach.covering ?? false));
  const groups = groupBins(shape);
  for (const { tileMask, groupMask } of masks) model.addPass('render', bind(groups, { tileMask, groupMask }));
}

/** Adds the domain `faceLanes`, over which adjoints loop over faces: `FACE_LANES` elements for each face and camera. */
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
