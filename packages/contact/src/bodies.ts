import { cross, dot, f32, index, kernel, normalize, on, quat, rotate, vec3 } from '@gradsim/core';
import { HALF_SPACE, materialOn } from './half-space.ts';
import { contactForce } from './law.ts';
import { materialIn, materialOf } from './material.ts';

/** Normals of unit length, once a run. */
export const unitNormal = kernel(
  'unitNormal',
  { domain: 'halfSpaces', reads: { normal: vec3 }, writes: { unitNormal: vec3 } },
  ({ normal }) => ({ unitNormal: normalize(normal) }),
);

/** One vertex of a body against one half-space. */
export const touchHalfSpace = kernel(
  'touchHalfSpace',
  {
    domain: 'bodyContacts',
    reads: {
      body: index('bodies'),
      vertex: index('bodyVertices'),
      halfSpace: index('halfSpaces'),
      local: on('bodyVertices', vec3),
      position: on('bodies', vec3),
      orientation: on('bodies', quat),
      velocity: on('bodies', vec3),
      angularVelocity: on('bodies', vec3),
      ...materialIn('bodies'),
      thickness: on('bodies', f32),
      ...HALF_SPACE,
    },
    adds: { force: on('bodies', vec3), torque: on('bodies', vec3) },
  },
  (c, { dt }) => {
    const { body, halfSpace } = c;
    const normal = c.unitNormal.at(halfSpace);
    const arm = rotate(c.orientation.at(body), c.local.at(c.vertex));
    const distance = dot(normal, c.position.at(body).add(arm)).sub(c.offset.at(halfSpace));
    const velocity = c.velocity.at(body).add(cross(c.angularVelocity.at(body), arm));
    const material = materialOn(c, halfSpace, materialOf(c, body));
    const f = contactForce(c.thickness.at(body).sub(distance), normal, velocity, material, dt);
    c.force.add(body, f);
    c.torque.add(body, cross(arm, f));
  },
);
