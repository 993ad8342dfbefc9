import type { Vec3 } from '@gradsim/core';
import {
  addCompensated,
  cross,
  f32,
  field,
  index,
  kernel,
  norm,
  rotate,
  rotateInverse,
  select,
  vec3,
} from '@gradsim/core';
import {
  gravity,
  kickDuration,
  memoise,
  rotationChange,
  rotationStep,
  spinFreely,
  windowShare,
} from '@gradsim/dynamics';
import { Body, BodyPush } from './body.ts';

/** Sums over pushes that begin within the substep, see `LeapfrogMotion.begun`. */
export const begun = {
  force: field('bodies', 'begunForce', vec3, { unit: 'N' }),
  torque: field('bodies', 'begunTorque', vec3, { unit: 'N m' }),
  wholeForce: field('bodies', 'begunWholeForce', vec3, { unit: 'N' }),
} as const;

/**
 * Adds a given force over a time window. A substep that lies only partly in the window gets that fraction of the force.
 * Created only for scenes with pushes: most have none.
 */
export const pushBody = memoise(() =>
  kernel(
    'pushBody',
    {
      domain: BodyPush,
      reads: {
        body: BodyPush.body,
        force: BodyPush.force,
        point: BodyPush.point,
        start: BodyPush.start,
        end: BodyPush.end,
        orientation: Body.orientation,
      },
      adds: {
        bodyForce: Body.force,
        torque: Body.torque,
        begunForce: begun.force,
        begunTorque: begun.torque,
        begunWholeForce: begun.wholeForce,
      },
    },
    ({ body, force, point, start, end, orientation, ...sums }, clock) => {
      const f = force.mul(windowShare(start, end, clock));
      const turning = cross(rotate(orientation.at(body), point), f);
      sums.bodyForce.add(body, f);
      sums.torque.add(body, turning);
      const begins = start.ge(clock.time).and(start.lt(clock.nextTime)).and(end.ge(clock.nextTime));
      const share = select(begins, f32(1), f32(0));
      sums.begunForce.add(body, f.mul(share));
      sums.begunTorque.add(body, turning.mul(share));
      sums.begunWholeForce.add(body, force.mul(share));
    },
  ),
);

/** States of a body that one substep leaves to the next, and their rounding compensations. */
const states = {
  position: Body.position,
  orientation: Body.orientation,
  velocity: Body.velocity,
  angularVelocity: Body.angularVelocity,
  positionCarry: Body.positionCarry,
  orientationCarry: Body.orientationCarry,
  velocityCarry: Body.velocityCarry,
  angularVelocityCarry: Body.angularVelocityCarry,
};

const moving = (spinsImplicitly: boolean) =>
  kernel(
    'moveBody',
    {
      domain: Body,
      reads: {
        ...states,
        fixed: Body.fixed,
        drag: Body.drag,
        gravity,
        totalMass: Body.totalMass,
        gyration: Body.gyration,
        inverseGyration: Body.inverseGyration,
        force: Body.force,
        torque: Body.torque,
      },
      writes: states,
    },
    (s, moment) => {
      const q = s.orientation;
      const isFree = f32(1).sub(s.fixed);
      const [free, kick] = [moment.dt.mul(isFree), kickDuration(moment).mul(isFree)];
      const airDrag = s.velocity.mul(s.drag.mul(norm(s.velocity)).neg());
      const acceleration = s.gravity.add(airDrag).add(s.force.div(s.totalMass));
      const v = addCompensated(s.velocity, s.velocityCarry, acceleration.mul(kick));
      const wb = rotateInverse(q, s.angularVelocity);
      const torqueBody = rotateInverse(q, s.torque.div(s.totalMass));
      const spinUp = (torque: Vec3): Vec3 => s.inverseGyration.mul(torque).mul(kick);
      const addSpin = (change: Vec3) => addCompensated(s.angularVelocity, s.angularVelocityCarry, rotate(q, change));
      const x = addCompensated(s.position, s.positionCarry, v.sum.mul(free));
      const explicitly = () => {
        const w = addSpin(spinUp(torqueBody.sub(cross(wb, s.gyration.mul(wb)))));
        return { w, turn: rotationStep(q, w.sum, free) };
      };
      const implicitly = () => {
        const kicked = spinUp(torqueBody);
        const { halfRotation: half, change } = spinFreely(wb.add(kicked), s.gyration, s.inverseGyration, free);
        const gained = kicked.add(change);
        // C w' - w in the axes at the start, C the rotation of the substep.
        const w = addSpin(gained.add(rotationChange(half, wb.add(gained))));
        return { w, turn: rotationStep(q, rotate(q, half), f32(2)) };
      };
      const { w, turn } = spinsImplicitly ? implicitly() : explicitly();
      const r = addCompensated(q, s.orientationCarry, turn);
      return {
        position: x.sum,
        orientation: r.sum,
        velocity: v.sum,
        angularVelocity: w.sum,
        positionCarry: x.compensation,
        orientationCarry: r.compensation,
        velocityCarry: v.compensation,
        angularVelocityCarry: w.compensation,
      };
    },
  );

/**
 * Moves bodies by the Newton-Euler equations, semi-implicitly, with the gyroscopic term in the body frame: w_b' = w_b +
 * dt I_b^-1 (tau_b - w_b x I_b w_b), q' = normalize(q + dt/2 (0, w') q), with I_b / m and tau_b / m.
 *
 * Gravity and air drag, -c |v| v, enter as accelerations: as forces, mass would be multiplied in and divided out, and
 * the two large halves of its derivative would cancel only to single precision.
 *
 * Every state moves by an increment, added with compensation: in single precision, plain sums of thousands of similar
 * increments drift by far more than one rounding, enough to shift a contact by a whole substep.
 */
export const moveBody = moving(false);
/**
 * Moves bodies as {@link moveBody}, with the gyroscopic term of each substep by the implicit midpoint rule ({@link spinFreely}):
 * torques change the angular velocity first, then the body rotates freely.
 */
export const moveBodyImplicitly = memoise(() => moving(true));

/**
 * References to the fields of the vertices of bodies' meshes: the `body` that each belongs to, `local`, its position in
 * body axes (m; an unknown if the shape is estimated), and `position`, its position in the world (m; observed in 3D
 * supervision).
 *
 * ```ts
 * const shape: ArraySpec = { name: 'shape', field: BodyVertex.local, modes, initial: 0 };
 * ```
 */
export const BodyVertex = {
  body: field('bodyVertices', 'body', index(Body.domain)),
  local: field('bodyVertices', 'local', vec3, { unit: 'm' }),
  position: field('bodyVertices', 'position', vec3, { unit: 'm' }),
} as const;
/**
 * Position of a vertex from the centre of mass, m, if mass properties follow the vertices; otherwise `local` already is
 * that.
 */
export const centred = field('bodyVertices', 'centred', vec3, { unit: 'm' });

/** Computes the positions of the bodies' vertices in the world, m. */
export const poseBody = kernel(
  'poseBody',
  {
    domain: 'bodyVertices',
    reads: {
      body: BodyVertex.body,
      local: BodyVertex.local,
      centre: Body.position,
      orientation: Body.orientation,
    },
    writes: { position: BodyVertex.position },
  },
  ({ body, local, centre, orientation }) => ({
    position: centre.at(body).add(rotate(orientation.at(body), local)),
  }),
);
