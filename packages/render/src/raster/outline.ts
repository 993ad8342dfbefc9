import type { Kernel } from '@gradsim/core';
import { f32, kernel, mat33, max, min, select, sqrt, u32, vec2 } from '@gradsim/core';
import { cross2, dot2 } from '../plane.ts';
import { ofThree } from '../three.ts';
import { clockwise, cornersOf, isFlat, reachesBehind, sideOf } from './triangle.ts';

/** Squared length, in device coordinates, below which an edge is treated as a point. */
const MIN_LENGTH2 = 1e-20;

/**
 * Coordinate along an edge, in device coordinates, at which an infinite edge is cut off; both ends of an invisible edge
 * are placed there.
 */
const OUTSIDE_VIEW = 1e6;

/**
 * Kernel that precomputes the outline of each face for pixels. Row k of `heights` is (x, y, offset): the unit normal of
 * edge k, inward, and the height of corner 0 relative to that edge, for pixels measured from corner 0. Row k of `spans`
 * is the interval of edge k along its normal rotated clockwise, measured from corner 0, and the derivative of the
 * barycentric coordinate of the opposite corner by height: 0 for all edges of a face without area.
 *
 * The visible part of a face that crosses the camera's plane has the same lines as edges. It lies on the side of edge k
 * where the opposite corner is, or on the other one if that corner is behind the camera; an edge with one end behind
 * the camera is visible beyond its other end, without limit.
 */
export const faceOutlines: Kernel = kernel(
  'faceOutlines',
  { domain: 'viewFaces', reads: { screen: mat33 }, writes: { heights: mat33, spans: mat33, isCut: u32 } },
  ({ screen }) => {
    const corner = cornersOf(screen);
    const along = ofThree((k) => corner[(k + 1) % 3].sub(corner[k]));
    const length2 = ofThree((k) => dot2(along[k], along[k]));
    const isPoint = ofThree((k) => length2[k].lt(MIN_LENGTH2));
    const length = ofThree((k) => sqrt(select(isPoint[k], f32(1), length2[k])));
    const towards = ofThree((k) => along[k].mul(f32(1).div(length[k])));
    const area = cross2(along[0], along[1]);
    const side = sideOf(screen);
    const flat = isFlat(area);
    const perArea = select(flat, f32(0), f32(1).div(select(flat, f32(1), area)));
    const behind = ofThree((k) => screen.entry(k, 2).lt(0));
    const edges = ofThree((k) => {
      const next = (k + 1) % 3;
      // A point has no direction. The perpendicular of the next edge still gives its distance.
      const across = vec2(towards[next].y, towards[next].x.neg());
      const unit = select(isPoint[k], select(isPoint[next], vec2(1, 0), across), towards[k]);
      const inward = select(behind[(k + 2) % 3], side.neg(), side);
      const normal = vec2(unit.y.neg(), unit.x).mul(inward);
      const size = select(isPoint[k], f32(0), length[k]);
      // The first and the last edge go through corner 0.
      const offset = k === 1 ? dot2(normal, along[0]).neg() : f32(0);
      const begin = k === 1 ? dot2(clockwise(normal), along[0]) : k === 2 ? size.mul(inward).neg() : f32(0);
      const end = begin.add(size.mul(inward));
      const [first, second] = [behind[k], behind[next]];
      // From the visible end, away from the other one.
      const [seen, unseen] = [select(first, end, begin), select(first, begin, end)];
      const rising = unseen.lt(seen);
      const isWhole = first.or(second).not();
      const isHidden = first.and(second);
      const lowest = select(isHidden, f32(OUTSIDE_VIEW), select(rising, seen, f32(-OUTSIDE_VIEW)));
      const highest = select(isHidden.or(rising), f32(OUTSIDE_VIEW), seen);
      return {
        height: [normal.x, normal.y, offset],
        span: [
          select(isWhole, min(begin, end), lowest),
          select(isWhole, max(begin, end), highest),
          size.mul(perArea).mul(inward),
        ],
      };
    });
    return {
      isCut: select(reachesBehind(screen), u32(1), u32(0)),
      heights: mat33(...edges.flatMap((e) => e.height)),
      spans: mat33(...edges.flatMap((e) => e.span)),
    };
  },
);
