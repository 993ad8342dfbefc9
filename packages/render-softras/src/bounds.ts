import type { F32, Mat33, U32 } from '@gradsim/core';
import {
  abs,
  ceil,
  clamp,
  f32,
  floor,
  forRange,
  mat33,
  max,
  min,
  on,
  select,
  u32,
  vec2,
  when,
} from '@gradsim/core';
import { deviceX, deviceY, TILE, TILE_PIXELS } from '@gradsim/render';
import type { Colors } from './color.ts';
import type { RasterShape } from './scene.ts';
import type { Barycentric, Edges } from './triangle.ts';
import { barycentricOf, edgesFrom, nearAt, passes, three } from './triangle.ts';

/**
 * Invocations that share a face: each takes every fourth column. Neighbours then read neighbouring pixels of one
 * row, and a face's work is spread over four threads where there are many.
 */
export const FACE_LANES = 4;

/** The fields that bound the pixels of a face, to read in a kernel over `faceLanes`. */
export const BOUNDS = {
  firstColumn: on('viewFaces', u32),
  endColumn: on('viewFaces', u32),
  firstRow: on('viewFaces', u32),
  endRow: on('viewFaces', u32),
  guard: on('viewFaces', mat33),
} as const;

type Bounds = Readonly<
  Record<'firstColumn' | 'endColumn' | 'firstRow' | 'endRow', { at(index: U32): U32 }>
> & {
  readonly guard: { at(index: U32): Mat33 };
};

/** A pixel as one face meets it. */
export interface Meeting {
  /** Its element in the domain `pixels`. */
  readonly pixel: U32;
  readonly corners: Mat33;
  readonly edges: Edges;
  readonly barycentric: Barycentric;
}

/** Adds up what `body` gives over the pixels of this invocation's columns that its face may count for. */
export function overPixels<S extends { readonly [name: string]: Colors }>(
  { layout, faces }: RasterShape,
  faceLane: U32,
  screenOf: { at(index: U32): Mat33 },
  { firstColumn, endColumn, firstRow, endRow, guard }: Bounds,
  sums: S,
  body: (meeting: Meeting, sums: S) => S,
): S {
  const viewFace = faceLane.div(FACE_LANES);
  const lane = faceLane.sub(viewFace.mul(FACE_LANES));
  const camera = viewFace.div(faces);
  const screen = screenOf.at(viewFace);
  const edgesGuard = guard.at(viewFace);
  const firstGroup = firstColumn.at(viewFace).div(FACE_LANES);
  const endGroup = endColumn
    .at(viewFace)
    .add(FACE_LANES - 1)
    .div(FACE_LANES);
  return forRange(firstRow.at(viewFace), endRow.at(viewFace), sums, (row, beforeRow) => {
    const tileRow = row.div(TILE);
    const y = deviceY(layout, row);
    const firstTile = camera.mul(layout.tilesY).add(tileRow).mul(layout.tilesX);
    const rowStart = firstTile.mul(TILE_PIXELS).add(row.sub(tileRow.mul(TILE)).mul(TILE));
    const span = spanOf(edgesGuard, y, layout.width);
    const from = max(firstGroup, span.first.div(FACE_LANES));
    const to = min(endGroup, span.end.add(FACE_LANES - 1).div(FACE_LANES));
    return forRange(from, to, beforeRow as S, (group, before) => {
      const start = group.mul(FACE_LANES);
      // In a row of tiles, the next tile's row starts 64 pixels on.
      const pixel = rowStart
        .add(start.div(TILE).mul(TILE_PIXELS - TILE))
        .add(start)
        .add(lane);
      const column = start.add(lane);
      const at = vec2(deviceX(layout, column), y);
      const needed = passes(edgesGuard, at);
      return when(
        layout.width % FACE_LANES === 0 ? needed : needed.and(column.lt(layout.width)),
        (): S => {
          const edges = edgesFrom(screen, at);
          const barycentric = barycentricOf(edges);
          return body({ pixel: nearAt(pixel), corners: screen, edges, barycentric }, before as S);
        },
        () => before as NoInfer<S>,
      ) as NoInfer<S>;
    }) as NoInfer<S>;
  });
}

/** Pixels that rounding may cost at the rim, and more. */
const SLACK = 0.01;

/** Nearer to level than this, an edge bounds no column: its slope says nothing exact. */
const LEAST_SLOPE = 1e-3;

/**
 * The columns of a row that the guards of a face leave, from `first` up to, not including, `end`. Errs on the side of
 * more by a hundredth of a pixel, as the guards themselves do.
 */
function spanOf(guard: Mat33, y: F32, width: number): { first: U32; end: U32 } {
  const sides = three((k) => {
    const [a, b, c] = [guard.at(k, 0), guard.at(k, 1), guard.at(k, 2)];
    const isSteep = abs(a).ge(LEAST_SLOPE);
    const x = b
      .mul(y)
      .add(c)
      .div(select(isSteep, a, f32(1)))
      .neg();
    const column = x
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
    first: clamp(ceil(lowest.sub(SLACK)), 0, width).toU32(),
    end: clamp(floor(highest.add(SLACK)).add(1), 0, width).toU32(),
  };
}

export const zeroMatrix = (): Mat33 => mat33(...Array<F32>(9).fill(f32(0)));
