import type { F32, Kernel, Vec3 } from '@gradsim/core';
import {
  ceil,
  clamp,
  f32,
  floor,
  index,
  kernel,
  mat33,
  max,
  min,
  on,
  select,
  sqrt,
  u32,
  vec3,
} from '@gradsim/core';
import type { RasterSettings } from './options.ts';
import { distanceCutoff } from './options.ts';
import type { RasterShape } from './scene.ts';

/** Depth up to which a vertex counts as behind the camera, where it has no place in the picture. */
const LEAST_DEPTH = 1e-6;

/** Gathers the corners of each face as a camera sees it: rows (x, y, 1/z). */
export const faceCorners: Kernel = kernel(
  'faceCorners',
  {
    domain: 'viewFaces',
    reads: { corners: index('viewVertices', 3), ndc: on('viewVertices', vec3) },
    writes: { screen: mat33 },
  },
  ({ corners, ndc }) => {
    const rows = corners.flatMap((corner) => {
      const { x, y, z } = ndc.at(corner);
      return [x, y, f32(1).div(select(z.gt(LEAST_DEPTH), z, f32(1)))];
    });
    return { screen: mat33(...rows) };
  },
);

/**
 * The pixels that a face can touch: columns `firstColumn` up to, not including, `endColumn`, rows likewise; none for
 * a face that reaches behind the camera or, unless drawn double-sided, is seen from behind. And `guard`, a row
 * (a, b, c) for each edge: a pixel with a x + b y + c < 0 lies beyond that edge by more than the distance at which
 * the face counts. Both err on the side of more pixels, and only say which need not be looked at.
 */
export function faceBounds({ layout }: RasterShape, { sigma, doubleSided }: RasterSettings): Kernel {
  const { width, height } = layout;
  const radius = Math.sqrt(distanceCutoff(sigma));
  // Rounding must not lose a pixel at the rim; a hundredth of a pixel is far above it.
  const slack = 0.01;
  const end = (x: F32, size: number) => clamp(floor(x.add(slack)).add(1), 0, size).toU32();
  const first = (x: F32, size: number) => clamp(ceil(x.sub(slack)), 0, size).toU32();
  const guardRadius = radius + slack / Math.max(width, height);
  return kernel(
    'faceBounds',
    {
      domain: 'viewFaces',
      reads: { corners: index('viewVertices', 3), ndc: on('viewVertices', vec3) },
      writes: { firstColumn: u32, endColumn: u32, firstRow: u32, endRow: u32, guard: mat33 },
    },
    ({ corners, ndc }) => {
      const points = corners.map((corner) => ndc.at(corner));
      const [a, b, c] = points;
      const lowest = (p: F32, q: F32, r: F32) => min(p, min(q, r)).sub(radius);
      const highest = (p: F32, q: F32, r: F32) => max(p, max(q, r)).add(radius);
      // From device coordinates to pixels, centres at whole numbers.
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
      const ahead = min(a.z, min(b.z, c.z)).gt(LEAST_DEPTH);
      const seen = doubleSided ? ahead : ahead.and(area.gt(0));
      const guard = points.flatMap((point, k) => guardOf(point, points[(k + 1) % 3], area, guardRadius));
      return {
        firstColumn: first(column(lowest(a.x, b.x, c.x)), width),
        endColumn: select(seen, end(column(highest(a.x, b.x, c.x)), width), u32(0)),
        firstRow: first(row(highest(a.y, b.y, c.y)), height),
        endRow: select(seen, end(row(lowest(a.y, b.y, c.y)), height), u32(0)),
        guard: mat33(...guard),
      };
    },
  );
}

/** The signed distance from the line through two corners, inside positive, plus a radius: a x + b y + c. */
function guardOf(from: Vec3, to: Vec3, area: F32, radius: number): F32[] {
  const [x, y] = [to.x.sub(from.x), to.y.sub(from.y)];
  const length2 = x.mul(x).add(y.mul(y));
  const isPoint = length2.eq(0);
  // An edge without length has no sides and lets everything through.
  const perLength = select(isPoint, f32(0), f32(1).div(sqrt(select(isPoint, f32(1), length2))));
  const inward = select(area.lt(0), perLength.neg(), perLength);
  const [a, b] = [y.mul(inward).neg(), x.mul(inward)];
  return [a, b, f32(radius).sub(a.mul(from.x)).sub(b.mul(from.y))];
}
