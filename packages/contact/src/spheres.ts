import { cross, dot, f32, index, kernel, on, quat, rotate, vec3 } from '@gradsim/core';
import { once } from '@gradsim/physics';
import { HALF_SPACE, materialOn } from './half-space.ts';
import { contactForce } from './law.ts';
import { materialIn, materialOf } from './material.ts';

/** One sphere of a body against one half-space: it touches with its point nearest to the half-space. */
export const touchWithSphere = once(() =>
  kernel(
    'touchWithSphere',
    {
      domain: 'sphereContacts',
      reads: {
        sphere: index('spheres'),
        body: index('bodies'),
        halfSpace: index('halfSpaces'),
        shapePosition: on('spheres', vec3),
        radius: on('spheres', f32),
        ...materialIn('spheres'),
        position: on('bodies', vec3),
        orientation: on('bodies', quat),
        velocity: on('bodies', vec3),
        angularVelocity: on('bodies', vec3),
        ...HALF_SPACE,
      },
      adds: { force: on('bodies', vec3), torque: on('bodies', vec3) },
    },
    (c, { dt }) => {
      const { sphere, body, halfSpace } = c;
      const normal = c.unitNormal.at(halfSpace);
      const arm = rotate(c.orientation.at(body), c.shapePosition.at(sphere)).sub(
        normal.mul(c.radius.at(sphere)),
      );
      const distance = dot(normal, c.position.at(body).add(arm)).sub(c.offset.at(halfSpace));
      const velocity = c.velocity.at(body).add(cross(c.angularVelocity.at(body), arm));
      const material = materialOn(c, halfSpace, materialOf(c, sphere));
      const f = contactForce(distance.neg(), normal, velocity, material, dt);
      c.force.add(body, f);
      c.torque.add(body, cross(arm, f));
    },
  ),
);
