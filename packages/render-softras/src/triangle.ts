import type { Bool, F32, Mat33, U32, Vec2 } from '@gradsim/core';
import { abs, clamp, f32, max, select, vec2 } from '@gradsim/core';

/** Twice the area, in device coordinates, from which on a triangle counts as having an inside. */
const LEAST_AREA = 1e-10;
/** Keeps the squared length of an edge from being 0 where it divides. */
const LEAST_LENGTH2 = 1e-20;

/** One for each corner, or one for each edge. */
export type Three<T> = readonly [T, T, T];

/** The same for each corner or edge. */
export const three = <T>(make: (k: 0 | 1 | 2) => T): Three<T> => [make(0), make(1), make(2)];

/** A triangle in device coordinates as seen from one pixel: what every later quantity is made of. */
export interface Edges {
  /** Edge k, from corner k to the next one. */
  readonly along: Three<Vec2>;
  /** From corner k to the pixel. */
  readonly toPixel: Three<Vec2>;
  /** Cross product of the two: twice the area of the triangle (corner k, corner k + 1, pixel), with sign. */
  readonly cross: Three<F32>;
  readonly length2: Three<F32>;
  /** Twice the area of the triangle, positive where its corners go round counter-clockwise. */
  readonly area: F32;
}

const cross2 = (a: Vec2, b: Vec2): F32 => a.x.mul(b.y).sub(a.y.mul(b.x));
const dot2 = (a: Vec2, b: Vec2): F32 => a.x.mul(b.x).add(a.y.mul(b.y));

/** `screen` has a row (x, y, 1/z) for each corner. */
export function edgesFrom(screen: Mat33, pixel: Vec2): Edges {
  const corner = three((k) => vec2(screen.at(k, 0), screen.at(k, 1)));
  const along = three((k) => corner[(k + 1) % 3].sub(corner[k]));
  const toPixel = three((k) => pixel.sub(corner[k]));
  return {
    along,
    toPixel,
    cross: three((k) => cross2(along[k], toPixel[k])),
    length2: three((k) => dot2(along[k], along[k])),
    area: cross2(along[0], along[1]),
  };
}

/** Whether a pixel may count for a face, by its guard; see `faceBounds`. Never false for one that does. */
export function passes(guard: Mat33, pixel: Vec2): Bool {
  const heights = three((k) =>
    guard
      .at(k, 0)
      .mul(pixel.x)
      .add(guard.at(k, 1).mul(pixel.y).add(guard.at(k, 2))),
  );
  return heights[0].ge(0).and(heights[1].ge(0)).and(heights[2].ge(0));
}

/**
 * The same index, found where this is called. Loads go to where their index is known, so that within a branch this
 * keeps them there: most faces that are looked at fail their guard, and nothing more of them should be read.
 */
export const nearAt = (index: U32): U32 => index.or(0);

/** Barycentric coordinates of the pixel; a triangle without area has a third at each corner. */
export interface Barycentric {
  /** Not clipped: negative beyond the edge opposite of corner k. */
  readonly w: Three<F32>;
  readonly inside: Bool;
  readonly inverseArea: F32;
}

export function barycentricOf({ cross, area }: Edges): Barycentric {
  const flat = abs(area).lt(LEAST_AREA);
  const inverseArea = select(flat, f32(0), f32(1).div(select(flat, f32(1), area)));
  const third = select(flat, f32(1 / 3), f32(0));
  // Edge k + 1 lies opposite of corner k.
  const w = three((k) => cross[(k + 1) % 3].mul(inverseArea).add(third));
  const inside = w[0].gt(0).and(w[1].gt(0)).and(w[2].gt(0)).and(flat.not());
  return { w, inside, inverseArea };
}

/** The point of the outline nearest to the pixel. */
export interface Nearest {
  readonly distance2: F32;
  /** From that point to the pixel. */
  readonly offset: Vec2;
  /** Which edge it lies on: the first, or else the second; neither means the third. */
  readonly onFirst: Bool;
  readonly onSecond: Bool;
  /** Where on the edge: 0 at its first corner, 1 at its second. */
  readonly t: F32;
}

export function nearestOf({ along, toPixel, length2 }: Edges): Nearest {
  const edges = three((k) => {
    const t = clamp(dot2(toPixel[k], along[k]).mul(f32(1).div(max(length2[k], LEAST_LENGTH2))), 0, 1);
    const offset = toPixel[k].sub(along[k].mul(t));
    return { t, offset, distance2: dot2(offset, offset) };
  });
  const [a, b, c] = edges;
  const onFirst = a.distance2.le(b.distance2).and(a.distance2.le(c.distance2));
  const onSecond = b.distance2.le(c.distance2);
  const pick = (x: F32, y: F32, z: F32): F32 => select(onFirst, x, select(onSecond, y, z));
  return {
    distance2: pick(a.distance2, b.distance2, c.distance2),
    offset: vec2(pick(a.offset.x, b.offset.x, c.offset.x), pick(a.offset.y, b.offset.y, c.offset.y)),
    onFirst,
    onSecond,
    t: pick(a.t, b.t, c.t),
  };
}

/** Depth at the pixel, perspective-correct from clipped barycentric coordinates. */
export interface Depth {
  /** Barycentric coordinates clipped to [0, 1], not yet divided by their sum. */
  readonly clipped: Three<F32>;
  /** Share of corner k in what is interpolated with perspective, such as colour. They add up to 1. */
  readonly share: Three<F32>;
  /** 1 / sum of clipped_k / z_k */
  readonly scale: F32;
  readonly z: F32;
}

export function depthOf(screen: Mat33, { w }: Barycentric): Depth {
  const clipped = three((k) => clamp(w[k], 0, 1));
  const overZ = three((k) => clipped[k].mul(screen.at(k, 2)));
  const scale = f32(1).div(overZ[0].add(overZ[1]).add(overZ[2]));
  return {
    clipped,
    share: three((k) => overZ[k].mul(scale)),
    scale,
    z: clipped[0].add(clipped[1]).add(clipped[2]).mul(scale),
  };
}
