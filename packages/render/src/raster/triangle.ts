import type { Bool, F32, Mat33, Reader, U32, Vec2 } from '@gradsim/core';
import { abs, clamp, f32, fieldOn, mat33, max, min, select, u32, vec2, vec3, when } from '@gradsim/core';
import { cross2, dot2 } from '../plane.ts';
import type { Three } from '../three.ts';
import { ofThree } from '../three.ts';

/** Twice the area, in device coordinates, below which a triangle counts as having no inside. */
const MIN_AREA = 1e-10;

/** Rotates a vector clockwise by 90 degrees: the inward normal of an edge becomes the direction of its span. */
export const clockwise = (v: Vec2): Vec2 => vec2(v.y, v.x.neg());

/** Returns the 2D corners of a face from `screen`, whose rows are (x, y, 1/z) of each corner. */
export const cornersOf = (screen: Mat33): Three<Vec2> => ofThree((k) => vec2(screen.entry(k, 0), screen.entry(k, 1)));

/** Returns whether a triangle is degenerate, given twice its signed area in device coordinates. */
export const isFlat = (area: F32): Bool => abs(area).lt(MIN_AREA);

/** Returns 1 if the corners are in counter-clockwise order or collinear, else -1. */
export function sideOf(screen: Mat33): F32 {
  const [a, b, c] = cornersOf(screen);
  return select(cross2(b.sub(a), c.sub(b)).lt(0), f32(-1), f32(1));
}

/**
 * Geometry of a face in device coordinates with x times the `aspect` of {@link RasterShape}, as prepared by
 * `faceCorners` and `faceOutlines`.
 */
export interface Triangle {
  readonly screen: Mat33;
  readonly heights: Mat33;
  readonly spans: Mat33;
  /** 1 if the face crosses the camera's plane, else 0. */
  readonly crossesCameraPlane: U32;
}

/** Specs of the fields of a face's {@link Triangle}, for the `reads` of a kernel. */
export const TRIANGLE_OF_FACE = {
  screen: fieldOn('viewFaces', mat33),
  heights: fieldOn('viewFaces', mat33),
  spans: fieldOn('viewFaces', mat33),
  isCut: fieldOn('viewFaces', u32),
} as const;

/** Readers that a kernel gets for {@link TRIANGLE_OF_FACE}. */
export type TriangleReaders = Readonly<
  Record<'screen' | 'heights' | 'spans', Reader<Mat33>> & Record<'isCut', Reader<U32>>
>;

export const triangleOf = ({ screen, heights, spans, isCut }: TriangleReaders, viewFace: U32): Triangle => ({
  screen: screen.at(viewFace),
  heights: heights.at(viewFace),
  spans: spans.at(viewFace),
  crossesCameraPlane: isCut.at(viewFace),
});

export const normalOf = (heights: Mat33, k: 0 | 1 | 2): Vec2 => vec2(heights.entry(k, 0), heights.entry(k, 1));

/**
 * Signed heights of a pixel above each edge, positive inside, in device coordinates with x times `aspect`. `fromCorner`
 * is the vector from corner 0 to the pixel.
 */
export const heightsOf = (heights: Mat33, fromCorner: Vec2): Three<F32> =>
  ofThree((k) => {
    const height = dot2(normalOf(heights, k), fromCorner);
    // The others go through corner 0.
    return k === 1 ? height.add(heights.entry(k, 2)) : height;
  });

/** Returns whether a face may contribute to a pixel: the pixel is outside of no edge by more than `maxDistance`. */
export const mayContribute = (heights: Three<F32>, maxDistance: number): Bool =>
  heights[0].ge(-maxDistance).and(heights[1].ge(-maxDistance)).and(heights[2].ge(-maxDistance));

/** Barycentric coordinates of a pixel in a face; 1/3 for each corner of a degenerate triangle. */
export interface Barycentric {
  /** Unclipped coordinates: w[k] is negative outside of the edge opposite corner k. */
  readonly w: Three<F32>;
  readonly inside: Bool;
}

export function barycentricOf({ spans }: Triangle, heights: Three<F32>): Barycentric {
  const flat = spans.entry(0, 2).eq(0);
  const third = select(flat, f32(1 / 3), f32(0));
  // Edge k + 1 lies opposite of corner k.
  const w = ofThree((k) => heights[(k + 1) % 3].mul(spans.entry((k + 1) % 3, 2)).add(third));
  // No pixel is that high above the edges of a degenerate triangle.
  const lowest = select(flat, f32(1e30), f32(0));
  const inside = heights[0].gt(lowest).and(heights[1].gt(lowest)).and(heights[2].gt(lowest));
  return { w, inside };
}

/** A face and a pixel to which it may contribute, with their relative position. */
export interface PixelOnFace {
  readonly triangle: Triangle;
  /** Vector from corner 0 of the face to the pixel, in device coordinates with x times `aspect`. */
  readonly fromCorner: Vec2;
  /** Signed heights of the pixel above each edge, positive inside. */
  readonly heights: Three<F32>;
  readonly barycentric: Barycentric;
}

/** Relation of a pixel to the point of an edge nearest to it; lengths in device coordinates with x times `aspect`. */
export interface NearestEdgePoint {
  readonly distance2: F32;
  /**
   * Coordinate of the pixel along the edge, and `distancePastEnd`, its signed distance past the nearer end of the edge; 0 beside
   * it.
   */
  readonly edgeCoordinate: F32;
  readonly distancePastEnd: F32;
}

export function nearestEdgePoint({ heights: edges, spans }: Triangle, heights: Three<F32>, fromCorner: Vec2) {
  return ofThree((k): NearestEdgePoint => {
    const edgeCoordinate = dot2(clockwise(normalOf(edges, k)), fromCorner);
    const distancePastEnd = max(edgeCoordinate.sub(spans.entry(k, 1)), 0).add(
      min(edgeCoordinate.sub(spans.entry(k, 0)), 0),
    );
    return {
      distance2: heights[k].mul(heights[k]).add(distancePastEnd.mul(distancePastEnd)),
      edgeCoordinate,
      distancePastEnd,
    };
  });
}

/** Squared distance from a pixel to the outline of a face: the least of those to its three edges. */
export function distance2Of([a, b, c]: Three<NearestEdgePoint>): F32 {
  // A select takes half as long as `min`, which handles NaN. Of equal ones it picks the first, as the adjoint does.
  const less = (x: F32, y: F32): F32 => select(y.lt(x), y, x);
  return less(a.distance2, less(b.distance2, c.distance2));
}

/**
 * Depth at the pixel, m, and the weights from which it follows: perspective-correct, from clipped barycentric
 * coordinates.
 */
export interface Depth {
  /**
   * Barycentric coordinates clipped to the face, not yet divided by their sum: to [0, 1] if all corners are in front of
   * the camera, else as in `clipBarycentric`.
   */
  readonly clipped: Three<F32>;
  /** Perspective-correct weights of the corners, for interpolating colour; they sum to 1. */
  readonly weights: Three<F32>;
  /** 1 / (sum over k of clipped_k / z_k). */
  readonly scale: F32;
  readonly z: F32;
}

/** Returns whether a face has a corner behind the camera. */
export const reachesBehind = (screen: Mat33): Bool =>
  min(screen.entry(0, 2), min(screen.entry(1, 2), screen.entry(2, 2))).lt(0);

/**
 * Clips barycentric coordinates to the face. If it crosses the camera's plane, coordinates are at most 0 for corners
 * behind the camera and at least 0 for the others, without another bound.
 */
function clipBarycentric({ screen, crossesCameraPlane: isCut }: Triangle, w: Three<F32>): Three<F32> {
  const { x, y, z } = when(
    isCut.ne(0),
    () => vec3(...ofThree((k) => select(screen.entry(k, 2).lt(0), min(w[k], 0), max(w[k], 0)))),
    () => vec3(...ofThree((k) => clamp(w[k], 0, 1))),
  );
  return [x, y, z];
}

export function depthOf(triangle: Triangle, { w }: Barycentric): Depth {
  const { screen } = triangle;
  const clipped = clipBarycentric(triangle, w);
  const overZ = ofThree((k) => clipped[k].mul(screen.entry(k, 2)));
  const scale = f32(1).div(overZ[0].add(overZ[1]).add(overZ[2]));
  return {
    clipped,
    weights: ofThree((k) => overZ[k].mul(scale)),
    scale,
    z: clipped[0].add(clipped[1]).add(clipped[2]).mul(scale),
  };
}
