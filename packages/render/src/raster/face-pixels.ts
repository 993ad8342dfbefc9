import type { F32, Mat33, Reader, U32, Value } from '@gradsim/core';
import {
  abs,
  ceil,
  clamp,
  f32,
  fieldOn,
  floor,
  forRange,
  mat33,
  max,
  min,
  select,
  u32,
  vec2,
  when,
} from '@gradsim/core';
import { TILE, TILE_PIXELS } from '../layout.ts';
import { deviceY } from '../pixels.ts';
import { dot2 } from '../plane.ts';
import type { Three } from '../three.ts';
import { ofThree } from '../three.ts';
import { PIXEL_MARGIN, reachWithMargin } from './corners.ts';
import { centreX } from './pixel-centre.ts';
import type { RasterShape } from './shape.ts';
import type { PixelOnFace, Triangle, TriangleReaders } from './triangle.ts';
import {
  barycentricOf,
  clockwise,
  cornersOf,
  heightsOf,
  mayContribute,
  normalOf,
  reachesBehind,
  TRIANGLE_OF_FACE,
  triangleOf,
} from './triangle.ts';

/**
 * Invocations per face in adjoint kernels: each handles every fourth column of pixels. Adjacent lanes then read
 * adjacent pixels of one row, and the work of a large face is spread over four threads.
 */
export const FACE_LANES = 4;

/**
 * Specs of the fields that bound the pixels to which a face may contribute, and of its geometry, for the `reads` of a
 * kernel over `faceLanes`.
 */
export const PIXELS_OF_FACE = {
  firstColumn: fieldOn('viewFaces', u32),
  endColumn: fieldOn('viewFaces', u32),
  firstRow: fieldOn('viewFaces', u32),
  endRow: fieldOn('viewFaces', u32),
  ...TRIANGLE_OF_FACE,
} as const;

type FaceFields = TriangleReaders & Readonly<Record<'firstColumn' | 'endColumn' | 'firstRow' | 'endRow', Reader<U32>>>;

/** A pixel to which a face may contribute, and its position relative to the face. */
export interface PixelNearFace extends PixelOnFace {
  /** Index of the pixel in the domain `pixels`. */
  readonly pixel: U32;
  /** For each edge: 1 over its length, negative if its span runs against its direction; 0 for an edge of no length. */
  readonly inverseLengths: Three<F32>;
  /**
   * Coordinate of the start of edge 1 on the axis of its span, measured from corner 0. Edges 0 and 2 contain corner 0.
   */
  readonly firstOfSecond: F32;
}

/**
 * Loops over the pixels in the columns of this invocation to which its face may contribute, those within `deviceReach` (in
 * device coordinates with x times `aspect`) and some more; `body` updates the sums and returns them. For adjoints,
 * which are summed per face.
 */
export function overPixels<S extends { readonly [name: string]: Value }>(
  shape: RasterShape,
  deviceReach: number,
  faceLane: U32,
  { firstColumn, endColumn, firstRow, endRow, ...fields }: FaceFields,
  sums: S,
  body: (meeting: PixelNearFace, sums: S) => S,
): S {
  const { layout, faces } = shape;
  const viewFace = faceLane.div(FACE_LANES);
  const lane = faceLane.sub(viewFace.mul(FACE_LANES));
  const camera = viewFace.div(faces);
  const reach = reachWithMargin(shape, deviceReach);
  const triangle = triangleOf(fields, viewFace);
  const corner = cornersOf(triangle.screen);
  const towards = ofThree((k) => clockwise(normalOf(triangle.heights, k)));
  const perLength = ofThree((k) => {
    // An edge may be infinite; what counts is the distance of its corners along its direction.
    const length = dot2(towards[k], corner[(k + 1) % 3].sub(corner[k]));
    const isPoint = length.eq(0);
    return select(isPoint, f32(0), f32(1).div(select(isPoint, f32(1), length)));
  });
  const firstOfSecond = dot2(towards[1], corner[1].sub(corner[0]));
  const firstGroup = firstColumn.at(viewFace).div(FACE_LANES);
  // Clipped to the picture once, so that pixels need no check of their own.
  const endGroup = min(endColumn.at(viewFace), layout.width)
    .add(FACE_LANES - 1)
    .div(FACE_LANES);
  const given = { first: firstRow.at(viewFace), end: endRow.at(viewFace) };
  // The bounds are those of the largest reach.
  const rows = deviceReach === 0 ? coveredRows(triangle, given, layout.height) : given;
  return forRange(rows.first, min(rows.end, layout.height), sums, (row, beforeRow) => {
    const tileRow = row.div(TILE);
    const y = deviceY(layout, row);
    const firstTile = camera.mul(layout.tilesY).add(tileRow).mul(layout.tilesX);
    const rowStart = firstTile.mul(TILE_PIXELS).add(row.sub(tileRow.mul(TILE)).mul(TILE));
    const span = columnsOf(triangle, y, reach, shape);
    const from = max(firstGroup, span.first.div(FACE_LANES));
    const to = min(endGroup, span.end.add(FACE_LANES - 1).div(FACE_LANES));
    return forRange(from, to, beforeRow as S, (group, before) => {
      const start = group.mul(FACE_LANES);
      // The same row of the next tile starts 64 pixels later.
      const pixel = rowStart
        .add(start.div(TILE).mul(TILE_PIXELS - TILE))
        .add(start)
        .add(lane);
      const column = start.add(lane);
      const fromCorner = vec2(centreX(shape, column), y).sub(cornersOf(triangle.screen)[0]);
      const heights = heightsOf(triangle.heights, fromCorner);
      const needed = mayContribute(heights, reach);
      return when(
        layout.width % FACE_LANES === 0 ? needed : needed.and(column.lt(layout.width)),
        (): S => {
          const barycentric = barycentricOf(triangle, heights);
          const meeting = { triangle, fromCorner, heights, barycentric, inverseLengths: perLength, firstOfSecond };
          return body({ pixel, ...meeting }, before as S);
        },
        () => before as NoInfer<S>,
      ) as NoInfer<S>;
    }) as NoInfer<S>;
  });
}

/**
 * Clips a range of rows to those between the highest and lowest corner of a face that does not reach behind the camera.
 */
function coveredRows(
  { screen }: Triangle,
  given: { readonly first: U32; readonly end: U32 },
  height: number,
): { first: U32; end: U32 } {
  const [a, b, c] = cornersOf(screen);
  const row = (y: F32) =>
    f32(1)
      .sub(y)
      .mul(height / 2)
      .sub(0.5);
  const first = clamp(ceil(row(max(a.y, max(b.y, c.y))).sub(PIXEL_MARGIN)), 0, height).toU32();
  const end = clamp(floor(row(min(a.y, min(b.y, c.y))).add(PIXEL_MARGIN)).add(1), 0, height).toU32();
  const isWhole = reachesBehind(screen).not();
  return {
    first: select(isWhole, max(given.first, first), given.first),
    end: select(isWhole, min(given.end, end), given.end),
  };
}

/**
 * Minimum magnitude of the x component of an edge's unit normal at which the edge bounds the columns of a row; below,
 * the bound would be inaccurate.
 */
const MIN_SLOPE = 1e-3;

/**
 * Returns the range of columns of a row, from `first` up to, not including, `end`, that are within `reach` of the inner
 * side of all edges. A hundredth of a pixel is added on both sides against rounding.
 */
function columnsOf(
  { screen, heights }: Triangle,
  y: F32,
  reach: number,
  { layout: { width }, aspect }: RasterShape,
): { first: U32; end: U32 } {
  const [origin] = cornersOf(screen);
  const sides = ofThree((k) => {
    const { x: a, y: b } = normalOf(heights, k);
    const c = heights
      .entry(k, 2)
      .sub(dot2(normalOf(heights, k), origin))
      .add(reach);
    const isSteep = abs(a).ge(MIN_SLOPE);
    const x = b
      .mul(y)
      .add(c)
      .div(select(isSteep, a, f32(1)))
      .neg();
    const column = (aspect === 1 ? x : x.div(aspect))
      .add(1)
      .mul(width / 2)
      .sub(0.5);
    return {
      lowest: select(isSteep.and(a.gt(0)), column, f32(0)),
      highest: select(isSteep.and(a.lt(0)), column, f32(width)),
    };
  });
  const lowest = max(sides[0].lowest, max(sides[1].lowest, sides[2].lowest));
  const highest = min(sides[0].highest, min(sides[1].highest, sides[2].highest));
  return {
    first: clamp(ceil(lowest.sub(PIXEL_MARGIN)), 0, width).toU32(),
    end: clamp(floor(highest.add(PIXEL_MARGIN)).add(1), 0, width).toU32(),
  };
}

/** Matrix of zeros, the initial value of sums. */
export const zeroMatrix = (): Mat33 => mat33(...Array<F32>(9).fill(f32(0)));
