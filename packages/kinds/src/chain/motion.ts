import { Link } from '@gradsim/articulated';
import { definePlugin, f32, field, fieldOn, kernel, vec3 } from '@gradsim/core';

/** Middle of the chain, m: the mean along it. */
export const middle = field('world', 'chainMiddle', vec3, { unit: 'm' });
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

/**
 * Air that brakes a chain of links, and its middle.
 * @param rods equal rods that stand for it, the first links of the scene, before one at the free end.
 */
export const brakedChain = (rods: number) =>
  definePlugin({
    name: '@gradsim/kinds/chain',
    contract: 1,
    components: [Link],
    build: ({ model }) => {
      model.addField(chainDamping, { fill: 0 });
      model.addField(middle);
      model.addPass('force', brake);
      model.addPass(
        'observe',
        kernel(
          'middleOfChain',
          { domain: 'world', reads: { position: fieldOn(Link.position) }, writes: { middle } },
          ({ position }) => {
            let sum = position.at(0).add(position.at(rods)).mul(0.5);
            for (let k = 1; k < rods; k++) sum = sum.add(position.at(k));
            return { middle: sum.mul(1 / rods) };
          },
        ),
      );
    },
  });
