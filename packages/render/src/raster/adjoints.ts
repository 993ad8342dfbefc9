import type { F32, Mat33 } from '@gradsim/core';
import { f32, mat33, select } from '@gradsim/core';
import type { Three } from '../three.ts';
import { ofThree } from '../three.ts';
import type { PixelNearFace } from './face-pixels.ts';
import type { Depth, NearestEdgePoint } from './triangle.ts';
import { clockwise, normalOf } from './triangle.ts';

/*
 * What the corners of a face, rows (x, y, 1/z) of `screen`, get of what a pixel sees of it.
 */

/**
 * Adjoint of the squared distance from a pixel to the outline, with respect to `screen`. The nearest point moves along
 * its edge without a first-order effect on the distance; the ends of the edge get -2 (1 - t) and -2 t times the offset
 * from that point to the pixel, t being its position on the edge, 0 to 1.
 */
export function outlineDistanceAdjoint(
  { triangle, heights, inverseLengths: perLength, firstOfSecond }: PixelNearFace,
  edges: Three<NearestEdgePoint>,
  distance2Bar: F32,
): Mat33 {
  const all = distance2Bar.mul(-2);
  const [a, b, c] = ofThree((k) => edges[k].distance2);
  const onFirst = a.le(b).and(a.le(c));
  const onSecond = b.le(c);
  // All of it goes to the edge that holds the nearest point.
  const pulls: Three<F32> = [
    select(onFirst, all, f32(0)),
    select(onFirst, f32(0), select(onSecond, all, f32(0))),
    select(onFirst.or(onSecond), f32(0), all),
  ];
  const parts = ofThree((k) => {
    const normal = normalOf(triangle.heights, k);
    const offset = normal.mul(heights[k]).add(clockwise(normal).mul(edges[k].distancePastEnd));
    const nearest = edges[k].edgeCoordinate.sub(edges[k].distancePastEnd);
    const t = (k === 1 ? nearest.sub(firstOfSecond) : nearest).mul(perLength[k]).add(k === 2 ? 1 : 0);
    const pull = offset.mul(pulls[k]);
    const second = pull.mul(t);
    return { first: pull.sub(second), second };
  });
  return mat33(
    ...ofThree((corner) => {
      // Corner k begins edge k and ends the one before.
      const { x, y } = parts[corner].first.add(parts[(corner + 2) % 3].second);
      return [x, y, f32(0)];
    }).flat(),
  );
}

/**
 * Adjoint of the point on the face that a pixel sees, with respect to `screen`: given those of its depth `z` and of the
 * weights `share` of the corners (null if nothing depends on these). Both are functions of the clipped barycentric
 * coordinates. An unclipped coordinate w_k changes by -w_j grad(w_k) per displacement of corner j; a clipped one is
 * constant.
 */
export function seenPointAdjoint(
  { triangle, barycentric }: PixelNearFace,
  { clipped, weights, scale, z }: Depth,
  zBar: F32,
  shareBars: Three<F32> | null,
): Mat33 {
  const { w } = barycentric;
  const mean =
    shareBars && weights[0].mul(shareBars[0]).add(weights[1].mul(shareBars[1])).add(weights[2].mul(shareBars[2]));
  const parts = ofThree((k) => {
    const inverseDepth = triangle.screen.entry(k, 2);
    // Shares sum to 1: only the excess of one adjoint over their mean counts.
    const more = shareBars ? shareBars[k].sub(mean!) : f32(0);
    const clippedBar = scale.mul(zBar.mul(f32(1).sub(z.mul(inverseDepth))).add(more.mul(inverseDepth)));
    return {
      coordinate: select(w[k].eq(clipped[k]), clippedBar, f32(0)),
      inverseDepth: clipped[k].mul(scale).mul(more.sub(zBar.mul(z))),
    };
  });
  // w_k grows with the height above the edge opposite of corner k.
  const [a, b, c] = ofThree((k) => {
    const edge = ((k + 1) % 3) as 0 | 1 | 2;
    return normalOf(triangle.heights, edge).mul(parts[k].coordinate.mul(triangle.spans.entry(edge, 2)));
  });
  const slope = a.add(b).add(c).neg();
  return mat33(...ofThree((k) => [slope.x.mul(w[k]), slope.y.mul(w[k]), parts[k].inverseDepth]).flat());
}
