import { cross, dot, f32, index, kernel, norm, normalize, on, quat, rotate, vec3 } from '@gradsim/core';
import { HALF_SPACE, materialOn } from './half-space.ts';
import { combine, contactForce } from './law.ts';

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

/**
 * One particle against one sphere of a body. Approach and slip are relative to the body where the particle is, and the
 * reaction acts there too, so that neither momentum nor angular momentum is lost.
 */
export const touchParticleWithSphere = kernel(
  'touchParticleWithSphere',
  {
    domain: 'particleSphereContacts',
    reads: {
      particle: index('particles'),
      sphere: index('spheres'),
      body: index('bodies'),
      position: on('particles', vec3),
      velocity: on('particles', vec3),
      ke: on('particles', f32),
      kd: on('particles', f32),
      kf: on('particles', f32),
      mu: on('particles', f32),
      thickness: on('particles', f32),
      centre: on('spheres', vec3),
      radius: on('spheres', f32),
      sphereKe: on('spheres', f32),
      sphereKd: on('spheres', f32),
      sphereKf: on('spheres', f32),
      sphereMu: on('spheres', f32),
      bodyPosition: on('bodies', vec3),
      orientation: on('bodies', quat),
      bodyVelocity: on('bodies', vec3),
      angularVelocity: on('bodies', vec3),
    },
    adds: { force: on('particles', vec3), bodyForce: on('bodies', vec3), torque: on('bodies', vec3) },
  },
  (c) => {
    const { particle, sphere, body } = c;
    const x = c.position.at(particle);
    const arm = x.sub(c.bodyPosition.at(body));
    const away = arm.sub(rotate(c.orientation.at(body), c.centre.at(sphere)));
    const depth = c.thickness.at(particle).add(c.radius.at(sphere)).sub(norm(away));
    const surfaceVelocity = c.bodyVelocity.at(body).add(cross(c.angularVelocity.at(body), arm));
    const material = combine(
      { ke: c.ke.at(particle), kd: c.kd.at(particle), kf: c.kf.at(particle), mu: c.mu.at(particle) },
      {
        ke: c.sphereKe.at(sphere),
        kd: c.sphereKd.at(sphere),
        kf: c.sphereKf.at(sphere),
        mu: c.sphereMu.at(sphere),
      },
    );
    const relative = c.velocity.at(particle).sub(surfaceVelocity);
    const f = contactForce(depth, normalize(away), relative, material);
    c.force.add(particle, f);
    c.bodyForce.add(body, f.neg());
    c.torque.add(body, cross(arm, f).neg());
  },
);
