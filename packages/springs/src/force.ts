import { dot, f32, index, kernel, norm, normalize, on, vec3 } from '@gradsim/core';

/**
 * f_i = -(ks (l - l0 (1 + a)) + kd d.(v_i - v_j)) d, with d the unit vector from j to i and actuation a; the opposite
 * on j. A spring of zero length has no direction: it gives no force, and its derivatives are 0.
 */
export const springForce = kernel(
  'springForce',
  {
    domain: 'springs',
    reads: {
      ends: index('particles', 2),
      position: on('particles', vec3),
      velocity: on('particles', vec3),
      stiffness: f32,
      damping: f32,
      restLength: f32,
      actuation: f32,
    },
    adds: { force: on('particles', vec3) },
  },
  ({ ends: [i, j], position, velocity, stiffness, damping, restLength, actuation, force }) => {
    const x = position.at(i).sub(position.at(j));
    const d = normalize(x);
    const stretch = norm(x).sub(restLength.mul(actuation.add(1)));
    const rate = dot(d, velocity.at(i).sub(velocity.at(j)));
    const f = d.mul(stiffness.mul(stretch).add(damping.mul(rate)));
    force.add(i, f.neg());
    force.add(j, f);
  },
);
