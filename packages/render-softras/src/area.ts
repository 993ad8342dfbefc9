import type { F32, Mat33, Vec2 } from '@gradsim/core';
import { abs, clamp, f32, mat33, max, min, select, vec2 } from '@gradsim/core';
import type { PixelOnFace, RasterShape, Three } from '@gradsim/render/raster';
import { cornersOf, reachesBehind, sideOf, three } from '@gradsim/render/raster';
import type { RasterSettings } from './options.ts';
import { halfWidth } from './options.ts';

/*
 * Exact area of a face within the box around a pixel. Areas of faces that share an edge add up to that of their union,
 * so a surface covers a pixel by the area of its outline, however finely it is divided.
 */

/** Smallest extent, in half boxes, that a division uses: an edge shorter than that counts as parallel to the axis. */
const MIN_EXTENT = 1e-12;

/**
 * Half width and height of the box, in device coordinates with x times `aspect`: whole pixels, since only then does
 * each point of the picture count alike.
 */
function boxOf({ layout: { width, height }, aspect }: RasterShape, { sigma }: RasterSettings) {
  const along = (pixel: number): number => pixel * Math.max(1, Math.round(halfWidth(sigma) / pixel));
  return { x: along(aspect / width), y: along(1 / height) };
}

/** Distance from a pixel to the corners of its box, in device coordinates with x times `aspect`. */
export function boxRadius(shape: RasterShape, settings: RasterSettings): number {
  const { x, y } = boxOf(shape, settings);
  return Math.hypot(x, y);
}

/** Corners of a face relative to a pixel, in half boxes. */
function cornersInPixelBox(
  shape: RasterShape,
  settings: RasterSettings,
  { triangle, fromCorner }: PixelOnFace,
): Three<Vec2> {
  const box = boxOf(shape, settings);
  const corners = cornersOf(triangle.screen);
  const pixel = corners[0].add(fromCorner);
  return three((k) => {
    const { x, y } = corners[k].sub(pixel);
    return vec2(x.mul(1 / box.x), y.mul(1 / box.y));
  });
}

const unlessZero = (extent: F32): F32 => select(abs(extent).lt(MIN_EXTENT), f32(MIN_EXTENT), extent);

/** Integral of x, clamped to [-1, 1], over y along an edge from p to q, as far as y lies in [-1, 1]. */
function edgeIntegral(p: Vec2, q: Vec2): F32 {
  const step = q.sub(p);
  const perY = f32(1).div(unlessZero(step.y));
  const at = (y: F32): F32 => p.x.add(step.x.mul(clamp(y.sub(p.y).mul(perY), 0, 1)));
  const [low, high] = [clamp(p.y, -1, 1), clamp(q.y, -1, 1)];
  const [a, b] = [at(low), at(high)];
  const [from, to] = [clamp(a, -1, 1), clamp(b, -1, 1)];
  // The three parts before, within and after the box, each free of cancellation.
  const sum = from
    .mul(from.sub(a))
    .add(from.add(to).mul(to.sub(from)).mul(0.5))
    .add(to.mul(b.sub(to)));
  const isConstant = from.eq(to);
  return high.sub(low).mul(select(isConstant, from, sum.div(select(isConstant, f32(1), b.sub(a)))));
}

/** Side of a face that a camera sees: 1 for its front, -1 for its back. */
export function facingSign({ triangle: { screen } }: PixelOnFace): F32 {
  const signs = three((k) => select(screen.entry(k, 2).lt(0), f32(-1), f32(1)));
  return sideOf(screen).mul(signs[0]).mul(signs[1]).mul(signs[2]);
}

/**
 * Share of the box around a pixel that a face covers, 0 to 1. A face that reaches behind the camera, which has no
 * corners there, covers all or nothing of it.
 */
export function coveredArea(shape: RasterShape, settings: RasterSettings, meeting: PixelOnFace): F32 {
  const [a, b, c] = cornersInPixelBox(shape, settings, meeting);
  const area = edgeIntegral(a, b).add(edgeIntegral(b, c)).add(edgeIntegral(c, a));
  const whole = select(meeting.barycentric.inside, f32(1), f32(0));
  return select(reachesBehind(meeting.triangle.screen), whole, abs(area).mul(1 / 4));
}

/**
 * Adjoint of {@link coveredArea} with respect to `screen`: a displaced edge sweeps an area along its part within the box, in
 * proportion to the displacement of its ends along its normal.
 */
export function areaAdjoint(shape: RasterShape, settings: RasterSettings, meeting: PixelOnFace, areaBar: F32): Mat33 {
  const corners = cornersInPixelBox(shape, settings, meeting);
  const { screen } = meeting.triangle;
  const box = boxOf(shape, settings);
  const bar = select(reachesBehind(screen), f32(0), areaBar.mul(sideOf(screen)).mul(1 / 4));
  const parts = three((k) => {
    const [p, q] = [corners[k], corners[(k + 1) % 3]];
    const step = q.sub(p);
    // Part of the edge within the box, as fractions of its length.
    const within = (at: F32, extent: F32) => {
      const per = f32(1).div(unlessZero(extent));
      const [one, other] = [f32(-1).sub(at).mul(per), f32(1).sub(at).mul(per)];
      return { first: min(one, other), last: max(one, other) };
    };
    const [x, y] = [within(p.x, step.x), within(p.y, step.y)];
    const first = clamp(max(x.first, y.first), 0, 1);
    const last = clamp(min(x.last, y.last), 0, 1);
    const length = max(last.sub(first), 0).mul(bar);
    const middle = first.add(last).mul(0.5);
    const swept = vec2(step.y.mul(1 / box.x), step.x.mul(-1 / box.y)).mul(length);
    return { first: swept.mul(f32(1).sub(middle)), second: swept.mul(middle) };
  });
  return mat33(
    ...three((corner) => {
      // Corner k begins edge k and ends the one before.
      const { x, y } = parts[corner].first.add(parts[(corner + 2) % 3].second);
      return [x, y, f32(0)];
    }).flat(),
  );
}
