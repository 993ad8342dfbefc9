import { dot, index, kernel, on, vec3 } from '@gradsim/core';
import { once } from '@gradsim/physics';
import { HALF_SPACE, materialOn } from './half-space.ts';
import { contactForce } from './law.ts';
import { materialOf } from './material.ts';
import { TOUCHING_PARTICLE } from './touching-particle.ts';

/** One particle against one half-space. */
export const touchWithParticle = once(() =>
  kernel(
    'touchWithParticle',
    {
      domain: 'particleContacts',
      reads: {
        particle: index('particles'),
        halfSpace: index('halfSpaces'),
        ...TOUCHING_PARTICLE,
        ...HALF_SPACE,
      },
      adds: { force: on('particles', vec3) },
    },
    (c, { dt }) => {
      const { particle, halfSpace } = c;
      const normal = c.unitNormal.at(halfSpace);
      const distance = dot(normal, c.position.at(particle)).sub(c.offset.at(halfSpace));
      const material = materialOn(c, halfSpace, materialOf(c, particle));
      const depth = c.thickness.at(particle).sub(distance);
      c.force.add(particle, contactForce(depth, normal, c.velocity.at(particle), material, dt));
    },
  ),
);
