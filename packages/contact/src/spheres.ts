import type { F32 } from '@gradsim/core';
import { cross, dot, f32, index, kernel, on, quat, rotate, select, vec3 } from '@gradsim/core';
import { HALF_SPACE, materialOn } from './half-space.ts';
import { contactForce } from './law.ts';

/** One sphere of a body against one half-space: it touches with its point nearest to the half-space. */
export const touchWithSphere = kernel(
  'touchWithSphere',
  {
    domain: 'sphereContacts',
    reads: {
      sphere: index('spheres'),
      body: index('bodies'),
      halfSpace: index('halfSpaces'),
      centre: on('spheres', vec3),
      radius: on('spheres', f32),
      ke: on('spheres', f32),
      kd: on('spheres', f32),
      kf: on('spheres', f32),
      mu: on('spheres', f32),
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
    const arm = rotate(c.orientation.at(body), c.centre.at(sphere)).sub(normal.mul(c.radius.at(sphere)));
    const distance = dot(normal, c.position.at(body).add(arm)).sub(c.offset.at(halfSpace));
    const velocity = c.velocity.at(body).add(cross(c.angularVelocity.at(body), arm));
    const own = { ke: c.ke.at(sphere), kd: c.kd.at(sphere), kf: c.kf.at(sphere), mu: c.mu.at(sphere) };
    const material = materialOn(c, halfSpace, own);
    const penetration = distance.neg();
    const share = dampedShare(penetration, dot(normal, velocity), dt);
    const f = contactForce(penetration, normal, velocity, { ...material, kd: material.kd.mul(share) });
    c.force.add(body, f);
    c.torque.add(body, cross(arm, f));
  },
);

/**
 * How many substeps of damping count in this one: 1, but in the first substep of a contact 1/2 plus the part of the
 * substep before that was spent in touch. Damping sets in with its full strength, so without this the bounce would
 * jump whenever a parameter moves its beginning by a substep, and derivatives, which see no jumps, would be wrong
 * however small the substeps are. Whether a substep is the first follows from the state: x_n = x_(n-1) + dt v_n, so
 * x_(n-1) was outside where the penetration is smaller than what was moved.
 */
function dampedShare(penetration: F32, normalVelocity: F32, dt: F32): F32 {
  const moved = normalVelocity.mul(dt).neg();
  const isFirst = penetration.gt(0).and(penetration.lt(moved));
  return select(isFirst, penetration.div(select(isFirst, moved, f32(1))).add(0.5), f32(1));
}
