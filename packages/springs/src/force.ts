import { dot, f32, kernel, norm, normalize, select } from '@gradsim/core';
import { Particle } from '@gradsim/particles';
import { Spring } from './spring.ts';

/**
 * Adds the forces of a spring to its ends i and j: f_i = -(ks (l - l0 (1 + a)) + kd d.(v_i - v_j)) d, with d the unit
 * vector from j to i and actuation a; the opposite on j. A spring of zero length has no direction: it gives no force,
 * and its derivatives are 0, except those of a rest length of 0: such a spring is linear, ks (x_i - x_j) + kd (v_i - v_j), at
 * zero length, through which its ends pass on a line.
 */
export const springForce = kernel(
  'springForce',
  {
    domain: Spring,
    reads: {
      ends: Spring.ends,
      position: Particle.position,
      velocity: Particle.velocity,
      stiffness: Spring.stiffness,
      damping: Spring.damping,
      restLength: Spring.restLength,
      actuation: Spring.actuation,
    },
    adds: { force: Particle.force },
  },
  ({ ends: [i, j], position, velocity, stiffness, damping, restLength, actuation, force }) => {
    const x = position.at(i).sub(position.at(j));
    const d = normalize(x);
    const length = norm(x);
    const rest = restLength.mul(actuation.add(1));
    const parting = velocity.at(i).sub(velocity.at(j));
    const isPoint = rest.eq(0).and(length.eq(0));
    const [stretched, moved] = [stiffness, damping].map((own) => select(isPoint, own, f32(0)));
    const along = d.mul(stiffness.mul(length.sub(rest)).add(damping.mul(dot(d, parting))));
    const f = along.add(x.mul(stretched)).add(parting.mul(moved));
    force.add(i, f.neg());
    force.add(j, f);
  },
);
