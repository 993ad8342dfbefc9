import type { F32, Vec3 } from '@gradsim/core';
import { dot, f32, select, vec3 } from '@gradsim/core';

/** Positions of a triangle's corners. */
export type Corners = readonly [Vec3, Vec3, Vec3];

/**
 * Returns the barycentric weights of the point of a triangle nearest to p, be it a corner, on an edge or inside.
 * Source: C. Ericson, Real-Time Collision Detection, 2005, section 5.1.5. The results for all regions are computed and
 * one is selected, so the derivative is that of the selected region; it is finite even for triangles of zero area.
 */
export function nearestWeights(p: Vec3, [a, b, c]: Corners): Vec3 {
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
  // Weights of b and c times a common denominator, and that; the first region that contains p counts.
  const regions = [
    { holds: d1.le(0).and(d2.le(0)), v: zero, w: zero, of: one },
    { holds: d3.ge(0).and(d4.le(d3)), v: one, w: zero, of: one },
    { holds: vc.le(0).and(d1.ge(0)).and(d3.le(0)), v: d1, w: zero, of: d1.sub(d3) },
    { holds: d6.ge(0).and(d5.le(d6)), v: zero, w: one, of: one },
    { holds: vb.le(0).and(d2.ge(0)).and(d6.le(0)), v: zero, w: d2, of: d2.sub(d6) },
    { holds: va.le(0).and(fromB.ge(0)).and(fromC.ge(0)), v: fromC, w: fromB, of: fromB.add(fromC) },
  ];
  const inside = { v: vb, w: vc, of: va.add(vb).add(vc) };
  const chosen = regions.reduceRight(
    (rest, { holds, v, w, of }) => ({
      v: select(holds, v, rest.v),
      w: select(holds, w, rest.w),
      of: select(holds, of, rest.of),
    }),
    inside,
  );
  const share = one.div(select(chosen.of.gt(0), chosen.of, one));
  const [v, w] = [chosen.v.mul(share), chosen.w.mul(share)];
  return vec3(one.sub(v).sub(w), v, w);
}

/** Returns the sum of w_k x_k over the three corners x_k, with weights w. */
export const weighted = (w: Vec3, [a, b, c]: Corners): Vec3 => a.mul(w.x).add(b.mul(w.y)).add(c.mul(w.z));
