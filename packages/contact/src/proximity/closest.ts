import type { Bool, F32, Vec3 } from '@gradsim/core';
import { abs, atan2, detach, dot, f32, max, select, sqrt, vec3, when } from '@gradsim/core';

/** Positions of a triangle's corners. */
export type Corners = readonly [Vec3, Vec3, Vec3];

/** A region of the plane of a triangle by where the nearest point of the triangle lies: a corner, an edge or inside. */
interface VoronoiRegion {
  /**
   * Numbers that are all at least 0 in the region, and above 0 inside of it: products of two vectors, and, times that,
   * of the triangle's area vector.
   */
  readonly lengths: readonly F32[];
  readonly areas: readonly F32[];
  /** Weights of b and c in the region, times `of`. */
  readonly v: F32;
  readonly w: F32;
  readonly of: F32;
}

/** Regions of a triangle (a, b, c) for a point p: corners a, b, edge ab, corner c, edges ac, bc, inside. */
function regionsOf(p: Vec3, [a, b, c]: Corners) {
  const [ab, ac] = [b.sub(a), c.sub(a)];
  const along = (from: Vec3): [F32, F32] => {
    const d = p.sub(from);
    return [dot(ab, d), dot(ac, d)];
  };
  const [[d1, d2], [d3, d4], [d5, d6]] = [along(a), along(b), along(c)];
  const product = (x: F32, y: F32, z: F32, w: F32): F32 => x.mul(y).sub(z.mul(w));
  const va = product(d3, d6, d5, d4);
  const vb = product(d5, d2, d1, d6);
  const vc = product(d1, d4, d3, d2);
  const [fromB, fromC] = [d4.sub(d3), d5.sub(d6)];
  const [zero, one] = [f32(0), f32(1)];
  const none: readonly F32[] = [];
  const regions: readonly VoronoiRegion[] = [
    { lengths: [d1.neg(), d2.neg()], areas: none, v: zero, w: zero, of: one },
    { lengths: [d3, fromB.neg()], areas: none, v: one, w: zero, of: one },
    { lengths: [d1, d3.neg()], areas: [vc.neg()], v: d1, w: zero, of: d1.sub(d3) },
    { lengths: [d6, fromC.neg()], areas: none, v: zero, w: one, of: one },
    { lengths: [d2, d6.neg()], areas: [vb.neg()], v: zero, w: d2, of: d2.sub(d6) },
    { lengths: [fromB, fromC], areas: [va.neg()], v: fromC, w: fromB, of: fromB.add(fromC) },
    { lengths: none, areas: [va, vb, vc], v: vb, w: vc, of: va.add(vb).add(vc) },
  ];
  return { regions, squares: [d1.sub(d3), d2.sub(d6)] as const, product: d2.sub(d4) };
}

const weightsIn = ({ v, w, of }: Pick<VoronoiRegion, 'v' | 'w' | 'of'>): Vec3 => {
  const share = f32(1).div(select(of.gt(0), of, f32(1)));
  const [ofB, ofC] = [v.mul(share), w.mul(share)];
  return vec3(f32(1).sub(ofB).sub(ofC), ofB, ofC);
};

/** Selects the weights of the first region that contains the point. */
function nearestOf(regions: readonly VoronoiRegion[]): Vec3 {
  const chosen = regions.slice(0, -1).reduceRight<Pick<VoronoiRegion, 'v' | 'w' | 'of'>>(
    (rest, region) => {
      const { lengths, areas, v, w, of } = region;
      const holds = [...areas, ...lengths].map((x) => x.ge(0)).reduce((all, is) => all.and(is));
      return { v: select(holds, v, rest.v), w: select(holds, w, rest.w), of: select(holds, of, rest.of) };
    },
    regions[regions.length - 1],
  );
  return weightsIn(chosen);
}

/**
 * Returns the barycentric weights of the point of a triangle nearest to p, be it a corner, on an edge or inside.
 * Source: C. Ericson, Real-Time Collision Detection, 2005, section 5.1.5. The results for all regions are computed and
 * one is selected, so the derivative is that of the selected region; it is finite even for triangles of zero area.
 */
export const nearestWeights = (p: Vec3, corners: Corners): Vec3 => nearestOf(regionsOf(p, corners).regions);

/**
 * Distance from a border below which a point counts as above it, in units of machine epsilon times the lengths at hand:
 * rounding moves points of symmetric motions off their borders by some epsilons, each its own way.
 */
const ON_BORDER = 64;

/**
 * Returns the same weights, with another derivative where p lies between regions, above a corner or an edge, as
 * everywhere between sheets that lie exactly over one another: the mean over the points near p, of each region by its
 * share of a small circle. A vertex has several triangles around it, and only one of them contains a point beside it:
 * the sum over the triangles has the mean derivative if each of them has. Of the first region, the corner, the normals
 * to all triangles would turn.
 */
export function nearestWeightsOnTies(p: Vec3, corners: Corners, epsilon: F32): Vec3 {
  const { regions, squares, product } = regionsOf(p, corners);
  const weights = nearestOf(regions);
  const [cornerA, cornerB, edgeAB, cornerC, edgeAC, edgeBC, whole] = regions;
  const [ab, ac] = squares;
  const edges = ab.add(ac);
  const border = epsilon.mul(ON_BORDER).mul(sqrt(edges.mul(edges.add(dot(p, p)))));
  const height = sqrt(max(whole.of, 0));
  const isOn = (x: F32): Bool => abs(x).le(border);
  const isOnArea = (x: F32): Bool => abs(x).le(border.mul(height));
  const isTie = [cornerA, cornerB, cornerC]
    .flatMap(({ lengths }) => lengths.map(isOn))
    .concat(whole.areas.map(isOnArea))
    .reduce((any, is) => any.or(is));
  return when(
    isTie.and(height.gt(border)),
    () => {
      // 1 inside of a region, 1/2 on its border, 1/4 where two borders cross.
      const side = (x: F32, isOnBorder: Bool): F32 => select(isOnBorder, f32(0.5), select(x.gt(0), f32(1), f32(0)));
      const shareOf = ({ lengths, areas }: VoronoiRegion): F32 =>
        [...lengths.map((x) => side(x, isOn(x))), ...areas.map((x) => side(x, isOnArea(x)))].reduce((all, one) =>
          all.mul(one),
        );
      // Above a corner of the angle t, t / 2 pi of the circle lie inside, 1/2 - t / 2 pi in the corner's region.
      const [atA, atB, atC] = (
        [
          [cornerA, product],
          [cornerB, ab.sub(product)],
          [cornerC, ac.sub(product)],
        ] as const
      ).map(([{ lengths }, cosine]) =>
        select(
          lengths.map(isOn).reduce((both, is) => both.and(is)),
          atan2(height, cosine)
            .mul(1 / (2 * Math.PI))
            .sub(0.25),
          f32(0),
        ),
      );
      const parts: readonly (readonly [VoronoiRegion, F32])[] = [
        [cornerA, shareOf(cornerA).sub(atA)],
        [cornerB, shareOf(cornerB).sub(atB)],
        [cornerC, shareOf(cornerC).sub(atC)],
        [edgeAB, shareOf(edgeAB)],
        [edgeAC, shareOf(edgeAC)],
        [edgeBC, shareOf(edgeBC)],
        [whole, shareOf(whole).add(atA).add(atB).add(atC)],
      ];
      return parts.reduce((sum, [region, share]) => {
        const own = weightsIn(region);
        return sum.add(own.sub(detach(own)).mul(detach(share)));
      }, detach(weights));
    },
    () => weights,
  );
}

/** Returns the sum of w_k x_k over the three corners x_k, with weights w. */
export const weighted = (w: Vec3, [a, b, c]: Corners): Vec3 => a.mul(w.x).add(b.mul(w.y)).add(c.mul(w.z));
