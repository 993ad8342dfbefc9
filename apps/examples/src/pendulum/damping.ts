import { Link } from '@gradsim/articulated';
import type { Plugin } from '@gradsim/core';
import { definePlugin, dot, f32, field, kernel } from '@gradsim/core';

/** Field of the damping c in theta'' = ... - c theta', 1/s. */
export const damping = field('world', 'swingDamping', f32, { unit: '1/s' });

/**
 * Kernel that adds the damping torque -c m L^2 theta' to each joint, for a point mass m at distance L, the link's
 * centre.
 */
const dampSwing = kernel(
  'dampSwing',
  {
    domain: Link,
    reads: { mass: Link.mass, centre: Link.centre, rate: Link.rate, damping },
    adds: { effort: Link.effort },
  },
  ({ mass, centre, rate, damping, effort }) => effort.add(rate.mul(damping).mul(mass).mul(dot(centre, centre)).neg()),
);

/** Plugin that damps all joints. @param value damping c, 1/s. */
export const swingDamping = (value: number): Plugin =>
  definePlugin({
    name: 'swing-damping',
    contract: 1,
    requires: ['@gradsim/articulated'],
    build: ({ model }) => {
      model.addField(damping, { fill: value });
      model.addPass('force', dampSwing);
    },
  });
