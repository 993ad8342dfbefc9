import { dot, f32, index, kernel, on, vec3 } from '@gradsim/core';
import { HALF_SPACE, materialOn } from './half-space.ts';
import { contactForce } from './law.ts';

/** One particle against one half-space. */
export const touchWithParticle = kernel(
  'touchWithParticle',
  {
    domain: 'particleContacts',
    reads: {
      particle: index('particles'),
      halfSpace: index('halfSpaces'),
      position: on('particles', vec3),
      velocity: on('particles', vec3),
      ke: on('particles', f32),
      kd: on('particles', f32),
      kf: on('particles', f32),
      mu: on('particles', f32),
      thickness: on('particles', f32),
      ...HALF_SPACE,
    },
    adds: { force: on('particles', vec3) },
  },
  (c) => {
    const { particle, halfSpace } = c;
    const normal = c.unitNormal.at(halfSpace);
    const distance = dot(normal, c.position.at(particle)).sub(c.offset.at(halfSpace));
    const own = {
      ke: c.ke.at(particle),
      kd: c.kd.at(particle),
      kf: c.kf.at(particle),
      mu: c.mu.at(particle),
    };
    const material = materialOn(c, halfSpace, own);
    const depth = c.thickness.at(particle).sub(distance);
    c.force.add(particle, contactForce(depth, normal, c.velocity.at(particle), material));
  },
);
