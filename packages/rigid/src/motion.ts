import type { F32 } from '@gradsim/core';
import {
  addCompensated,
  cross,
  f32,
  index,
  kernel,
  mat33,
  norm,
  on,
  perWorld,
  Quat,
  quat,
  rotate,
  rotateInverse,
  sqrt,
  vec3,
} from '@gradsim/core';
import { coveredPart } from '@gradsim/physics';

/**
 * A given force over a time window. A window that starts or ends within a substep counts for the part that it covers. Made
 * for scenes with pushes only: most have none.
 */
export const pushBody = () =>
  kernel(
    'pushBody',
    {
      domain: 'bodyPushes',
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
    ({ body, force, point, start, end, orientation, bodyForce, torque }, clock) => {
      const f = force.mul(coveredPart(start, end, clock));
      bodyForce.add(body, f);
      torque.add(body, cross(rotate(orientation.at(body), point), f));
    },
  );

/**
 * Newton-Euler, semi-implicit, with the gyroscopic term in the body frame:
 * w_b' = w_b + dt I_b^-1 (tau_b - w_b x I_b w_b), q' = normalize(q + dt/2 (0, w') q), with I_b / m and tau_b / m.
 *
 * Gravity and air drag, -c |v| v, enter as accelerations: as forces, mass would be multiplied in and divided out, and
 * the two large halves of its derivative would cancel only to single precision.
 *
 * Every state moves by an increment, added with its rounding error carried along: in single precision, plain sums of
 * thousands of like steps drift by far more than one rounding, enough to shift a contact by a whole substep.
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
      positionCarry: vec3,
      orientationCarry: quat,
      velocityCarry: vec3,
      angularVelocityCarry: vec3,
      fixed: f32,
      drag: f32,
      gravity: perWorld(vec3),
      totalMass: f32,
      gyration: mat33,
      inverseGyration: mat33,
      force: vec3,
      torque: vec3,
    },
    writes: {
      position: vec3,
      orientation: quat,
      velocity: vec3,
      angularVelocity: vec3,
      positionCarry: vec3,
      orientationCarry: quat,
      velocityCarry: vec3,
      angularVelocityCarry: vec3,
    },
  },
  (s, { dt }) => {
    const q = s.orientation;
    const free = dt.mul(f32(1).sub(s.fixed));
    const airDrag = s.velocity.mul(s.drag.mul(norm(s.velocity)).neg());
    const acceleration = s.gravity.add(airDrag).add(s.force.div(s.totalMass));
    const v = addCompensated(s.velocity, s.velocityCarry, acceleration.mul(free));
    const wb = rotateInverse(q, s.angularVelocity);
    const torqueBody = rotateInverse(q, s.torque.div(s.totalMass)).sub(cross(wb, s.gyration.mul(wb)));
    const spinUp = rotate(q, s.inverseGyration.mul(torqueBody).mul(free));
    const w = addCompensated(s.angularVelocity, s.angularVelocityCarry, spinUp);
    const x = addCompensated(s.position, s.positionCarry, v.sum.mul(free));
    // normalize(q + turn) - q, without the cancellation of that difference.
    const turn = new Quat([...w.sum.components, 0]).mul(q).scale(free.mul(0.5));
    const turned = q.add(turn);
    const scale = f32(1).div(length(turned));
    const r = addCompensated(q, s.orientationCarry, turn.add(turned.scale(scale.sub(1))));
    return {
      position: x.sum,
      orientation: r.sum,
      velocity: v.sum,
      angularVelocity: w.sum,
      positionCarry: x.carry,
      orientationCarry: r.carry,
      velocityCarry: v.carry,
      angularVelocityCarry: w.carry,
    };
  },
);

function length(q: Quat): F32 {
  return sqrt(q.components.map((c) => c.mul(c)).reduce((sum, term) => sum.add(term)));
}

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
