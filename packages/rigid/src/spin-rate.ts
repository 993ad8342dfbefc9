import { acos, clamp, cos, dot, f32, kernel, max, rotateInverse, sqrt } from '@gradsim/core';
import { Body } from './body.ts';

/** Part by which the energy of free rotation may grow in a second. */
const GROWTH = 0.05;

/**
 * Least number of substeps a second for the spin that a body starts with. The gyroscopic term is explicit, so that every
 * substep adds dt^2 / 2 g . I^-1 g to the energy, g = w x I w: a relative growth of dt k a second, k = g . I^-1 g / (w . I w).
 * With principal moments a <= b <= c and shares e of the energy 2 E about their axes, k = 2 E Var(a, b, c) / (a b c), and the
 * mean of the moments under e, m = L^2 / 2 E, is kept by the motion: k <= 2 E (c - m) (m - a) / (a b c). It is 0 for bodies that
 * spin about the axis of their largest or smallest moment, and for those of three equal ones.
 */
export const spinRateOfBody = kernel(
  'spinRateOfBody',
  {
    domain: Body,
    reads: {
      orientation: Body.orientation,
      angularVelocity: Body.angularVelocity,
      gyration: Body.gyration,
      fixed: Body.fixed,
    },
    writes: { spinRate: Body.spinRate },
  },
  ({ orientation, angularVelocity, gyration, fixed }) => {
    const w = rotateInverse(orientation, angularVelocity);
    const momentum = gyration.mul(w);
    const energy = dot(w, momentum);
    const [xx, yy, zz] = [gyration.at(0, 0), gyration.at(1, 1), gyration.at(2, 2)];
    const [xy, xz, yz] = [gyration.at(0, 1), gyration.at(0, 2), gyration.at(1, 2)];
    // Principal moments in closed form (O. K. Smith, 1961).
    const middle = xx.add(yy).add(zz).div(3);
    const [u, v, t] = [xx, yy, zz].map((entry) => entry.sub(middle));
    const off = xy.mul(xy).add(xz.mul(xz)).add(yz.mul(yz));
    const spread = sqrt(
      max(u.mul(u).add(v.mul(v)).add(t.mul(t)).add(off.mul(2)).div(6), middle.mul(middle).mul(1e-12)),
    );
    const determinant = u
      .mul(v.mul(t).sub(yz.mul(yz)))
      .sub(xy.mul(xy.mul(t).sub(yz.mul(xz))))
      .add(xz.mul(xy.mul(yz).sub(v.mul(xz))));
    const angle = acos(clamp(determinant.div(spread.mul(spread).mul(spread).mul(2)), f32(-1), f32(1))).div(3);
    const most = middle.add(spread.mul(2).mul(cos(angle)));
    const least = middle.add(spread.mul(2).mul(cos(angle.add((2 * Math.PI) / 3))));
    const between = middle.mul(3).sub(most).sub(least);
    const mean = dot(momentum, momentum).div(max(energy, f32(1e-30)));
    const width = max(most.sub(mean), f32(0)).mul(max(mean.sub(least), f32(0)));
    const growth = energy.mul(width).div(most.mul(between).mul(least));
    return { spinRate: growth.div(GROWTH).mul(f32(1).sub(fixed)) };
  },
);
