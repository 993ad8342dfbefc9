import type { F32, Mat33, U32, Vec2 } from '@gradsim/core';
import { f32, forRange, mat33, u32, vec2, when } from '@gradsim/core';
import { deviceX, deviceY, TILE, TILE_PIXELS } from '@gradsim/render';
import type { Colors } from './color.ts';
import type { RasterSettings } from './options.ts';
import { distanceCutoff } from './options.ts';
import type { RasterShape } from './scene.ts';
import type { Barycentric, Edges, Nearest } from './triangle.ts';
import { barycentricOf, edgesFrom, mayCount, nearestOf } from './triangle.ts';

/** The fields that bound the pixels of a face, to read in a kernel over `viewFaces`. */
export const BOUNDS = { firstColumn: u32, endColumn: u32, firstRow: u32, endRow: u32 } as const;
type Bounds = { readonly [K in keyof typeof BOUNDS]: U32 };

/** A pixel as one face meets it. */
export interface Meeting {
  /** Its element in the domain `pixels`. */
  readonly pixel: U32;
  readonly edges: Edges;
  readonly barycentric: Barycentric;
  readonly nearest: Nearest;
}

/** Adds up what `body` gives over the pixels that a face counts for. */
export function overPixels<S extends { readonly [name: string]: Colors }>(
  { layout, faces }: RasterShape,
  { sigma }: RasterSettings,
  viewFace: U32,
  screen: Mat33,
  { firstColumn, endColumn, firstRow, endRow }: Bounds,
  sums: S,
  body: (meeting: Meeting, sums: S) => S,
): S {
  const cutoff = distanceCutoff(sigma);
  const camera = viewFace.div(faces);
  const meet = (pixel: U32, at: Vec2, before: S): S => {
    const edges = edgesFrom(screen, at);
    return when(
      mayCount(edges, cutoff),
      (): S => {
        const barycentric = barycentricOf(edges);
        const nearest = nearestOf(edges);
        return when(
          barycentric.inside.or(nearest.distance2.lt(cutoff)),
          (): S => body({ pixel, edges, barycentric, nearest }, before),
          () => before as NoInfer<S>,
        );
      },
      () => before as NoInfer<S>,
    );
  };
  return forRange(firstRow, endRow, sums, (row, beforeRow) => {
    const tileRow = row.div(TILE);
    const y: F32 = deviceY(layout, row);
    const firstTile = camera.mul(layout.tilesY).add(tileRow).mul(layout.tilesX);
    const rowStart = firstTile.mul(TILE_PIXELS).add(row.sub(tileRow.mul(TILE)).mul(TILE));
    return forRange(firstColumn, endColumn, beforeRow as S, (column, before) => {
      // In a row of tiles, the next tile's row starts 64 pixels on.
      const pixel = rowStart.add(column.div(TILE).mul(TILE_PIXELS - TILE)).add(column);
      return meet(pixel, vec2(deviceX(layout, column), y), before as S) as NoInfer<S>;
    }) as NoInfer<S>;
  });
}

export const zeroMatrix = (): Mat33 => mat33(...Array<F32>(9).fill(f32(0)));
