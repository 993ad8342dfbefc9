import type { F32, Vec3 } from '@gradsim/core';
import { cos, detach, Quat, sin } from '@gradsim/core';
import type { Attitude } from './attitude.ts';
import { derivativeOf, rotateAttitude, toWorld } from './attitude.ts';
import type { JointKind } from './link.ts';
import type { Motion } from './spatial.ts';
import { ZERO } from './spatial.ts';

export const JOINT_KINDS: readonly JointKind[] = ['revolute', 'prismatic', 'ball', 'free', 'fixed'];
export const hasAxis = (kind: JointKind): boolean => kind === 'revolute' || kind === 'prismatic';
export const turnsFreely = (kind: JointKind): boolean => kind === 'ball' || kind === 'free';

/** Coordinates of a joint and their rates: those of an axis, or of a ball or free joint. */
export interface JointState {
  readonly coordinate: F32;
  readonly rate: F32;
  readonly jointOrientation: Quat;
  readonly angularVelocity: Vec3;
  readonly translation: Vec3;
  readonly velocity: Vec3;
}
/** Quantities of a joint that are constant in a run. */
export interface JointFrame {
  readonly anchor: Vec3;
  readonly restOrientation: Quat;
  /** Axis of the joint, of unit length. */
  readonly axis: Vec3;
}
/** Attitude of a joint's link, and its motion relative to the parent, in world axes. */
export interface JointPose {
  readonly attitude: Attitude;
  /** Vector from the parent's origin to the link's, m. */
  readonly arm: Vec3;
  /** Unit vector of the axis of a joint that has one. */
  readonly axis: Vec3;
  /** Angular and linear velocity of the link relative to the parent, rad/s and m/s. */
  readonly relative: Motion;
}

/** Computes the pose of a joint's link, given the attitude of the parent. */
export function jointPose(kind: JointKind, parent: Attitude, frame: JointFrame, state: JointState): JointPose {
  const atRest = rotateAttitude(parent, frame.restOrientation);
  const arm = toWorld(parent, frame.anchor);
  const axis = toWorld(atRest, frame.axis);
  const none = ZERO();
  switch (kind) {
    case 'revolute': {
      const { coordinate, rate } = state;
      const { orientation, turn } = rotateAttitude(atRest, aboutAxis(frame.axis, detach(coordinate)));
      const attitude = { orientation, turn: turn.add(detach(axis).mul(derivativeOf(coordinate))) };
      return { attitude, arm, axis, relative: { angular: axis.mul(rate), linear: none } };
    }
    case 'prismatic': {
      const relative = { angular: none, linear: axis.mul(state.rate) };
      return { attitude: atRest, arm: arm.add(axis.mul(state.coordinate)), axis, relative };
    }
    case 'ball': {
      const attitude = rotateAttitude(atRest, state.jointOrientation);
      return { attitude, arm, axis, relative: { angular: toWorld(attitude, state.angularVelocity), linear: none } };
    }
    case 'free': {
      const attitude = rotateAttitude(atRest, state.jointOrientation);
      const angular = toWorld(attitude, state.angularVelocity);
      const moved = arm.add(toWorld(parent, state.translation));
      return { attitude, arm: moved, axis, relative: { angular, linear: toWorld(parent, state.velocity) } };
    }
    case 'fixed':
      return { attitude: atRest, arm, axis, relative: { angular: none, linear: none } };
  }
}

function aboutAxis(axis: Vec3, angle: F32): Quat {
  const half = angle.mul(0.5);
  return new Quat([...axis.mul(sin(half)).components, cos(half)]);
}
