import type { F32, Kernel, Reader, U32 } from '@gradsim/core';
import {
  adjointOf,
  exp,
  expm1,
  f32,
  fieldOn,
  forRange,
  index,
  kernel,
  mat33,
  min,
  select,
  u32,
  when,
} from '@gradsim/core';
import { placeOf, TILE } from '@gradsim/render';
import type { RasterShape } from '@gradsim/render/raster';
import {
  distance2Of,
  FACE_LANES,
  FACES_OF_PIXEL,
  nearestEdgePoint,
  noFace,
  outlineDistanceAdjoint,
  overFaces,
  overPixels,
  PIXELS_OF_FACE,
  sideOf,
  zeroMatrix,
} from '@gradsim/render/raster';
import type { DibrSettings } from './options.ts';
import { distanceCutoff, faceRadius } from './options.ts';

/**
 * Factors of squared distance that break ties between equally distant faces at a shared edge or corner of an outline:
 * back faces count as further (`BEHIND`), and a later face must be nearer by more than rounding (`NEARER`) to win.
 */
const [BEHIND, NEARER] = [1.1, 0.999];

/** Openness of a pixel outside of a face, 1 - exp(-d^2/delta), accurate near the face's edge. */
const opennessOutside = (distance2: F32, delta: number): F32 => expm1(distance2.mul(-1 / delta)).neg();

/**
 * Kernel that computes the openness of a pixel: 0 where a face is shown, elsewhere the product of 1 - exp(-d^2/delta)
 * over nearby faces at distance d. With `isPainted` it also writes `painted`: the face shown, or else the nearest one.
 */
export function multiplyOpenness(shape: RasterShape, settings: DibrSettings, isPainted: boolean): Kernel {
  const { delta } = settings;
  const cutoff = distanceCutoff(delta);
  return kernel(
    'openPixels',
    {
      domain: 'pixels',
      reads: { shown: u32, isOpen: fieldOn('tiles', u32), ...FACES_OF_PIXEL },
      writes: { open: f32, ...(isPainted && { painted: u32 }) },
      adjoint: () => [openPixelsAdjoint(shape, settings)],
    },
    ({ shown, isOpen, ...fields }, { element }) => {
      const place = placeOf(shape.layout, element);
      const start = {
        open: f32(1),
        ...(isPainted && { least: f32(2 * cutoff), beside: u32(noFace(shape)) }),
      };
      const around = when(
        isOpen.at(place.tile).ne(0),
        () =>
          overFaces(shape, faceRadius(settings), fields, place, start, (face, meeting, sums): typeof start => {
            const { triangle, heights, fromCorner } = meeting;
            const distance2 = distance2Of(nearestEdgePoint(triangle, heights, fromCorner));
            const own = select(distance2.lt(cutoff), opennessOutside(distance2, delta), f32(1));
            const open = sums.open.mul(own);
            if (!sums.least || !sums.beside) return { open };
            const seenAs = distance2.mul(select(sideOf(triangle.screen).gt(0), f32(1), f32(BEHIND)));
            const isNext = distance2.lt(cutoff).and(seenAs.lt(sums.least.mul(NEARER)));
            const viewFace = place.camera.mul(shape.faces).add(face);
            return {
              open,
              least: select(isNext, seenAs, sums.least),
              beside: select(isNext, viewFace, sums.beside),
            };
          }),
        () => ({ ...start, open: f32(0) }),
      );
      const isBare = shown.eq(noFace(shape));
      const open = select(isBare, around.open, f32(0));
      return around.beside ? { open, painted: select(isBare, around.beside, shown) } : { open };
    },
  );
}

/**
 * Adjoint kernel of `multiplyOpenness` with respect to `screen`, the corners of the faces, whose outlines determine the
 * openness.
 */
function openPixelsAdjoint(shape: RasterShape, settings: DibrSettings): Kernel {
  const { delta } = settings;
  const cutoff = distanceCutoff(delta);
  return kernel(
    'openPixels_adjoint',
    {
      domain: 'faceLanes',
      reads: {
        viewFace: index('viewFaces'),
        shown: fieldOn('pixels', u32),
        isOpen: fieldOn('tiles', u32),
        open: fieldOn('pixels', f32),
        openBar: adjointOf('open', fieldOn('pixels', f32)),
        ...PIXELS_OF_FACE,
      },
      adds: { screenBar: adjointOf('screen', fieldOn('viewFaces', mat33)) },
    },
    ({ viewFace, shown, isOpen, open, openBar, screenBar, ...fields }, { element }) => {
      const start = { corners: zeroMatrix() };
      const { corners } = when(
        touchesOpenTile(shape, fields, isOpen, element.div(FACE_LANES)),
        () =>
          overPixels(shape, faceRadius(settings), element, fields, start, (meeting, sums): typeof start =>
            when(
              shown.at(meeting.pixel).eq(noFace(shape)),
              () => {
                const { triangle, heights, fromCorner } = meeting;
                const edges = nearestEdgePoint(triangle, heights, fromCorner);
                const distance2 = distance2Of(edges);
                const own = opennessOutside(distance2, delta);
                const counts = distance2.lt(cutoff).and(own.gt(0));
                // The product of the others is the total over the own factor; d(own)/d(d^2) = exp(-d^2/delta)/delta.
                const others = open.at(meeting.pixel).div(select(counts, own, f32(1)));
                const slope = exp(distance2.mul(-1 / delta)).mul(1 / delta);
                const bar = select(counts, openBar.at(meeting.pixel).mul(others).mul(slope), f32(0));
                return { corners: sums.corners.add(outlineDistanceAdjoint(meeting, edges, bar)) };
              },
              () => sums,
            ),
          ),
        () => start,
      );
      screenBar.add(viewFace, corners);
    },
  );
}

/** Returns whether the bounds of a face overlap a tile in which some pixel shows no face. */
function touchesOpenTile(
  { layout, faces }: RasterShape,
  {
    firstColumn,
    endColumn,
    firstRow,
    endRow,
  }: Readonly<Record<'firstColumn' | 'endColumn' | 'firstRow' | 'endRow', Reader<U32>>>,
  isOpen: Reader<U32>,
  viewFace: U32,
) {
  const camera = viewFace.div(faces);
  const end = (pixels: U32): U32 => pixels.add(TILE - 1).div(TILE);
  const found = forRange(
    firstRow.at(viewFace).div(TILE),
    min(end(endRow.at(viewFace)), layout.tilesY),
    u32(0),
    (tileY, above) => {
      const first = camera.mul(layout.tilesY).add(tileY).mul(layout.tilesX);
      return forRange(
        firstColumn.at(viewFace).div(TILE),
        min(end(endColumn.at(viewFace)), layout.tilesX),
        above,
        (tileX, before) => before.or(isOpen.at(first.add(tileX))),
      );
    },
  );
  return found.ne(0);
}
