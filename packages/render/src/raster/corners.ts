import type { F32, Kernel, U32 } from '@gradsim/core';
import { ceil, clamp, f32, fieldOn, floor, index, kernel, mat33, max, min, select, u32, vec3 } from '@gradsim/core';
import { boundedDepth } from '../project.ts';
import type { RasterShape } from './shape.ts';

/** Safety margin, px, so that rounding, which is far smaller, never drops a pixel at the border of a face. */
export const PIXEL_MARGIN = 0.01;

/** Distance up to which faces contribute to pixels beyond those that they cover. */
export interface FaceReach {
  /**
   * Distance outside of its triangle up to which a face may contribute to a pixel, in device coordinates with x times
   * `aspect`.
   */
  readonly deviceReach: number;
  /** True if faces seen from behind are drawn. */
  readonly doubleSided: boolean;
  /** True to also create masks of the faces that may cover a pixel of a tile, for {@link overCoveringFaces}. */
  readonly covering?: boolean;
}

/** Distance beyond an edge up to which a pixel is tested: `deviceReach` plus a hundredth of a pixel against rounding. */
export const reachWithMargin = ({ layout: { width, height }, aspect }: RasterShape, deviceReach: number): number =>
  deviceReach + PIXEL_MARGIN / Math.max(width / aspect, height);

/**
 * Kernel that gathers the corners of each face as seen by a camera: rows (x, y, 1/z), with device x times `aspect`; 1/z
 * is negative for a corner behind the camera.
 */
export const faceCorners = ({ aspect }: RasterShape): Kernel =>
  kernel(
    'faceCorners',
    {
      domain: 'viewFaces',
      reads: { corners: index('viewVertices', 3), ndc: fieldOn('viewVertices', vec3) },
      writes: { screen: mat33 },
    },
    ({ corners, ndc }) => {
      const rows = corners.flatMap((corner) => {
        const { x, y, z } = ndc.at(corner);
        return [aspect === 1 ? x : x.mul(aspect), y, f32(1).div(boundedDepth(z))];
      });
      return { screen: mat33(...rows) };
    },
  );

/**
 * Kernel that bounds the pixels to which a face may contribute: columns from `firstColumn` up to, not including,
 * `endColumn`, and rows likewise. The range is empty for a face behind the camera, one that is a single point or, unless drawn double-sided, seen
 * from behind; for one that crosses the camera's plane it is the whole picture. It never excludes a pixel wrongly.
 */
export function faceBounds({ layout, aspect }: RasterShape, { deviceReach, doubleSided }: FaceReach): Kernel {
  const { width, height } = layout;
  const end = (x: F32, size: number) => clamp(floor(x.add(PIXEL_MARGIN)).add(1), 0, size).toU32();
  const first = (x: F32, size: number) => clamp(ceil(x.sub(PIXEL_MARGIN)), 0, size).toU32();
  return kernel(
    'faceBounds',
    {
      domain: 'viewFaces',
      reads: { corners: index('viewVertices', 3), ndc: fieldOn('viewVertices', vec3) },
      writes: { firstColumn: u32, endColumn: u32, firstRow: u32, endRow: u32 },
    },
    ({ corners, ndc }) => {
      const points = corners.map((corner) => ndc.at(corner));
      const [a, b, c] = points;
      const lowest = (p: F32, q: F32, r: F32, reach: number) => min(p, min(q, r)).sub(reach);
      const highest = (p: F32, q: F32, r: F32, reach: number) => max(p, max(q, r)).add(reach);
      const across = deviceReach / aspect;
      // Converts device coordinates to pixels, with centres at integers.
      const column = (x: F32) =>
        x
          .add(1)
          .mul(width / 2)
          .sub(0.5);
      const row = (y: F32) =>
        f32(1)
          .sub(y)
          .mul(height / 2)
          .sub(0.5);
      const area = b.x
        .sub(a.x)
        .mul(c.y.sub(a.y))
        .sub(b.y.sub(a.y).mul(c.x.sub(a.x)));
      const ahead = max(a.z, max(b.z, c.z)).gt(0);
      // Surfaces that change keep their spare faces at a point.
      const isPoint = a.x.eq(b.x).and(a.y.eq(b.y)).and(a.x.eq(c.x)).and(a.y.eq(c.y));
      const reachesBehind = min(a.z, min(b.z, c.z)).le(0);
      // Projected through the eye, a corner behind the camera is on the other side: an odd number of them reverses the
      // orientation.
      const turned = points.map(({ z }) => select(z.lt(0), f32(-1), f32(1))).reduce((s, t) => s.mul(t), area);
      const seen = doubleSided ? ahead.and(isPoint.not()) : ahead.and(turned.gt(0));
      const from = (pixel: U32) => select(reachesBehind, u32(0), pixel);
      const to = (pixel: U32, size: number) => select(seen, select(reachesBehind, u32(size), pixel), u32(0));
      return {
        firstColumn: from(first(column(lowest(a.x, b.x, c.x, across)), width)),
        endColumn: to(end(column(highest(a.x, b.x, c.x, across)), width), width),
        firstRow: from(first(row(highest(a.y, b.y, c.y, deviceReach)), height)),
        endRow: to(end(row(lowest(a.y, b.y, c.y, deviceReach)), height), height),
      };
    },
  );
}
