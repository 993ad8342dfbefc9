import type { F32, Vec3 } from '@gradsim/core';
import { clamp, cross, dot, f32, max, norm, select, vec3 } from '@gradsim/core';

/** Edge of a shape's core: its ends, m, and unit vectors from the edge into its two faces. */
export interface PlacedEdge {
  readonly from: Vec3;
  readonly to: Vec3;
  readonly inward: Vec3;
  readonly otherInward: Vec3;
}

/** Contact data of two crossing edges. */
export interface Crossing {
  /**
   * Signed distance from the second edge to the first along `normal`, m: negative if they have passed through each
   * other.
   */
  readonly distance: F32;
  /** Unit normal, perpendicular to both edges, towards the solid of the first edge. */
  readonly normal: Vec3;
  /** Point of the first edge nearest to the second edge, m. */
  readonly point: Vec3;
  /** Weight of this contact point, 0 to 1. */
  readonly weight: F32;
}

/**
 * Angle between two edges, rad, below which the weight of their crossing fades to 0; their ends make contact instead.
 */
const PARALLEL_ANGLE = 0.2;
/**
 * Sines of two angles by which the normal of a crossing may leave the range allowed by the adjacent faces: the
 * crossing's weight is 1 up to the first and falls to 0 at the second. Two faces in contact stay well within the first.
 */
const NORMAL_FADE_SINES = [0.1, 0.25] as const;

/**
 * Distance from the ends of an edge over which contact between crossing edges fades out, in multiples of the contact
 * distance.
 */
const END_FADE_DISTANCE = 2;

/**
 * Computes the crossing of two edges: the points where their lines are nearest. Its weight is 1 where both points lie
 * well within the edges and the normal separates the adjacent faces, so that it is the normal of a face of the
 * Minkowski difference of both solids. The weight fades to 0 towards the ends, where corners make contact; as the edges
 * become parallel; as the normal turns into one of the faces; and as the edges pass further than `maxDistance` through each
 * other. So the force is continuous.
 *
 * @param maxDistance distance between the edges below which they touch, m.
 */
export function crossingOf(a: PlacedEdge, b: PlacedEdge, maxDistance: F32): Crossing {
  const [u, v] = [a.to.sub(a.from), b.to.sub(b.from)];
  const between = a.from.sub(b.from);
  const [uu, uv, vv] = [dot(u, u), dot(u, v), dot(v, v)];
  const normalOfBoth = cross(u, v);
  const square = dot(normalOfBoth, normalOfBoth);
  const lengths = uu.mul(vv);
  const isCrossing = square.gt(lengths.mul(1e-8));
  const over = f32(1).div(select(isCrossing, square, f32(1)));
  const [bu, bv] = [dot(between, u), dot(between, v)];
  const s = uv.mul(bv).sub(vv.mul(bu)).mul(over);
  const t = uu.mul(bv).sub(uv.mul(bu)).mul(over);

  const unit = normalOfBoth.div(norm(select(isCrossing, normalOfBoth, vec3(1, 0, 0))));
  const gap = dot(unit, between);
  const inside = dot(unit, a.inward.add(a.otherInward).sub(b.inward).sub(b.otherInward));
  // Without faces, the current side.
  const side = select(select(inside.eq(0), gap, inside).ge(0), f32(1), f32(-1));
  const normal = unit.mul(side);
  const distance = gap.mul(side);

  const fade = (into: F32): F32 =>
    clamp(into.add(NORMAL_FADE_SINES[1]).div(NORMAL_FADE_SINES[1] - NORMAL_FADE_SINES[0]), f32(0), f32(1));
  const allowed = [a.inward, a.otherInward, b.inward.neg(), b.otherInward.neg()]
    .map((way) => fade(dot(normal, way)))
    .reduce((all, one) => all.mul(one));
  // Square of the angle's sine.
  const sine = square.div(max(lengths, f32(1e-30)));
  const fourth = sine.mul(sine);
  const angle = fourth.mul(1 + PARALLEL_ANGLE ** 4).div(fourth.add(PARALLEL_ANGLE ** 4));
  const [perU, perV] = [norm(u), norm(v)].map((length) => length.div(maxDistance).mul(1 / END_FADE_DISTANCE));
  const within = [s.mul(perU), f32(1).sub(s).mul(perU), t.mul(perV), f32(1).sub(t).mul(perV)]
    .map((from) => clamp(from, f32(0), f32(1)))
    .reduce((all, one) => all.mul(one));
  const depth = clamp(distance.div(maxDistance).add(2), f32(0), f32(1));
  return {
    distance,
    normal,
    point: a.from.add(u.mul(s)),
    weight: select(isCrossing, within.mul(allowed).mul(angle).mul(depth), f32(0)),
  };
}
