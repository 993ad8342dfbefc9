import { Link } from '@gradsim/articulated';
import type { F32, Plugin } from '@gradsim/core';
import { cos, definePlugin, f32, field, fieldOn, kernel, sqrt } from '@gradsim/core';
import { LENGTH, MASS, TORQUES } from './rods.ts';

/** Field of the controller's cost, dimensionless: how far the double pendulum is from standing still upright. */
export const distanceFromUpright = field('world', 'unrest', f32);

/** Acceleration of gravity, m/s^2. */
const GRAVITY = 9.81;
/**
 * Potential energy of the upright pendulum relative to the height of its first joint, J; hanging, it is the negative of
 * this.
 */
const UPRIGHT_ENERGY = 2 * MASS * GRAVITY * LENGTH;
/**
 * Missing energy, as a fraction of the difference between upright and hanging, around which the cost changes from
 * quadratic to linear.
 */
const MAX_UPRIGHT_ANGLE = 0.1;
/** Weights in the cost: of rods that are not upright, of rods that are not aligned, of motion, and of torques. */
const [POSTURE, BEND, MOTION, EFFORT] = [1, 0.3, 0.3, 0.1];
/**
 * Scale of the sum m of squared rates in the cost, s^2: motion costs SLOW m / (1 + SLOW m), half of its maximum at a
 * rate of 7 rad/s.
 */
const MAX_UPRIGHT_RATE = 0.02;

/**
 * Energy of the two uniform rods of mass m and length l, J. With t1, t2 their angles from hanging, rad, and w1, w2
 * their angular velocities, rad/s: T = m l^2 (2/3 w1^2 + 1/6 w2^2 + 1/2 cos(t1 - t2) w1 w2), V = -m g l (3/2 cos t1 +
 * 1/2 cos t2).
 */
function energy(t1: F32, t2: F32, w1: F32, w2: F32): F32 {
  const inertia = MASS * LENGTH ** 2;
  const kinetic = w1
    .mul(w1)
    .mul((2 / 3) * inertia)
    .add(w2.mul(w2).mul(inertia / 6))
    .add(
      cos(t1.sub(t2))
        .mul(w1)
        .mul(w2)
        .mul(inertia / 2),
    );
  const height = cos(t1).mul(1.5).add(cos(t2).mul(0.5));
  return kinetic.sub(height.mul(MASS * GRAVITY * LENGTH));
}

/**
 * Plugin that computes {@link distanceFromUpright} in every frame: the energy error, which guides a hanging pendulum; posture and
 * rates, which guide one that is nearly upright; and torques, for smooth balancing.
 */
export function uprightPlugin(): Plugin {
  return definePlugin({
    name: 'upright',
    contract: 1,
    requires: ['@gradsim/articulated'],
    build: ({ model }) => {
      const assess = kernel(
        'unrestOfPendulum',
        {
          domain: 'world',
          reads: { coordinate: fieldOn(Link.coordinate), rate: fieldOn(Link.rate), drive: fieldOn(Link.drive) },
          writes: { unrest: distanceFromUpright },
        },
        ({ coordinate, rate, drive }) => {
          const [t1, w1] = [coordinate.at(0), rate.at(0)];
          const [t2, w2] = [t1.add(coordinate.at(1)), w1.add(rate.at(1))];
          const missing = energy(t1, t2, w1, w2)
            .sub(UPRIGHT_ENERGY)
            .div(2 * UPRIGHT_ENERGY);
          const energetic = sqrt(missing.mul(missing).add(MAX_UPRIGHT_ANGLE ** 2)).sub(MAX_UPRIGHT_ANGLE);
          const posture = cos(t1).mul(0.6).add(cos(t2).mul(0.4)).add(1);
          const bend = f32(1).sub(cos(t1.sub(t2)));
          const motion = w1.mul(w1).add(w2.mul(w2)).mul(MAX_UPRIGHT_RATE);
          const moving = motion.div(motion.add(1));
          const [u1, u2] = TORQUES.map((most, k) => drive.at(k).div(most));
          const effort = u1.mul(u1).add(u2.mul(u2)).div(2);
          return {
            unrest: energetic
              .add(posture.mul(POSTURE))
              .add(bend.mul(BEND))
              .add(moving.mul(MOTION))
              .add(effort.mul(EFFORT)),
          };
        },
      );
      model.addPass('observe', assess);
    },
  });
}
