import type { F32, Mat33, U32 } from '@gradsim/core';
import { f32, forRange, mat33, on, u32, vec2, when } from '@gradsim/core';
import { deviceX, deviceY, TILE, TILE_PIXELS } from '@gradsim/render';
import type { Colors } from './color.ts';
import type { RasterShape } from './scene.ts';
import type { Barycentric, Edges } from './triangle.ts';
import { barycentricOf, edgesFrom, nearAt, passes } from './triangle.ts';

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
    return forRange(firstGroup, endGroup, beforeRow as S, (group, before) => {
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

export const zeroMatrix = (): Mat33 => mat33(...Array<F32>(9).fill(f32(0)));
