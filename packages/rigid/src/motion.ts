import {
  clamp,
  cross,
  f32,
  index,
  kernel,
  mat33,
  max,
  min,
  norm,
  normalize,
  on,
  perWorld,
  Quat,
  quat,
  rotate,
  rotateInverse,
  vec3,
} from '@gradsim/core';

/** Gravity and air drag, -c m |v| v, at the centre of mass. */
export const bodyGravity = kernel(
  'bodyGravity',
  {
    domain: 'bodies',
    reads: { velocity: vec3, totalMass: f32, drag: f32, gravity: perWorld(vec3) },
    adds: { force: vec3 },
  },
  ({ velocity, totalMass, drag, gravity, force }) => {
    const airDrag = velocity.mul(drag.mul(norm(velocity)).neg());
    force.add(gravity.add(airDrag).mul(totalMass));
  },
);

/** A given force over a time window. A window that ends within a substep counts for the part that it covers. */
export const pushBody = kernel(
  'pushBody',
  {
    domain: 'pushes',
    reads: {
      body: index('bodies'),
      force: vec3,
      point: vec3,
      start: f32,
      end: f32,
      orientation: on('bodies', quat),
    },
    adds: { bodyForce: on('bodies', vec3), torque: on('bodies', vec3) },
  },
  ({ body, force, point, start, end, orientation, bodyForce, torque }, { time, dt }) => {
    const covered = clamp(min(time.add(dt), end).sub(max(time, start)), 0, dt).div(dt);
    const f = force.mul(covered);
    bodyForce.add(body, f);
    torque.add(body, cross(rotate(orientation.at(body), point), f));
  },
);

/**
 * Newton-Euler, semi-implicit, with the gyroscopic term in the body frame:
 * w_b' = w_b + dt I_b^-1 (tau_b - w_b x I_b w_b), q' = normalize(q + dt/2 (0, w') q).
 */
export const moveBody = kernel(
  'moveBody',
  {
    domain: 'bodies',
    reads: {
      position: vec3,
      orientation: quat,
      velocity: vec3,
      angularVelocity: vec3,
      fixed: f32,
      totalMass: f32,
      totalInertia: mat33,
      inverseInertia: mat33,
      force: vec3,
      torque: vec3,
    },
    writes: { position: vec3, orientation: quat, velocity: vec3, angularVelocity: vec3 },
  },
  (
    {
      position,
      orientation: q,
      velocity,
      angularVelocity,
      fixed,
      totalMass,
      totalInertia,
      inverseInertia,
      force,
      torque,
    },
    { dt },
  ) => {
    const free = dt.mul(f32(1).sub(fixed));
    const v = velocity.add(force.div(totalMass).mul(free));
    const wb = rotateInverse(q, angularVelocity);
    const spin = totalInertia.mul(wb);
    const torqueBody = rotateInverse(q, torque).sub(cross(wb, spin));
    const w = rotate(q, wb.add(inverseInertia.mul(torqueBody).mul(free)));
    const turn = new Quat([...w.components, 0]).mul(q).scale(dt.mul(0.5));
    return {
      velocity: v,
      angularVelocity: w,
      position: position.add(v.mul(dt)),
      orientation: normalize(q.add(turn)),
    };
  },
);

/** Vertices of the bodies' meshes in world coordinates. */
export const poseBody = kernel(
  'poseBody',
  {
    domain: 'bodyVertices',
    reads: {
      body: index('bodies'),
      local: vec3,
      centre: on('bodies', vec3),
      orientation: on('bodies', quat),
    },
    writes: { position: vec3 },
  },
  ({ body, local, centre, orientation }) => ({
    position: centre.at(body).add(rotate(orientation.at(body), local)),
  }),
);
