import { Link } from '@gradsim/articulated';
import { definePlugin, f32, field, kernel } from '@gradsim/core';

/** Damping c by the air, 1/s: it pulls on each part with -2 c times its mass and velocity. */
export const chainDamping = field('world', 'chainDamping', f32, { unit: '1/s' });

const brake = kernel(
  'brakeChain',
  {
    domain: Link,
    reads: {
      mass: Link.mass,
      inertia: Link.inertia,
      velocity: Link.centreVelocity,
      spin: Link.bodyAngularVelocity,
      damping: chainDamping,
    },
    adds: { force: Link.force, torque: Link.torque },
  },
  ({ mass, inertia, velocity, spin, damping, force, torque }) => {
    const pull = damping.mul(-2);
    force.add(velocity.mul(mass).mul(pull));
    // The same about all axes.
    torque.add(spin.mul(inertia.entry(0, 0)).mul(pull));
  },
);

/** Air that brakes a chain of links. */
export const brakedChain = definePlugin({
  name: '@gradsim/kinds/chain',
  contract: 1,
  components: [Link],
  build: ({ model }) => {
    model.addField(chainDamping, { fill: 0 });
    model.addPass('force', brake);
  },
});
