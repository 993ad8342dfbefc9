import type { F32, Vec3 } from '@gradsim/core';
import { cos, Quat, rotate, sin } from '@gradsim/core';
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
/** Orientation of a joint's link, and its motion relative to the parent, in world axes. */
export interface JointPose {
  /** Orientation: quaternion, link to world. */
  readonly orientation: Quat;
  /** Vector from the parent's origin to the link's, m. */
  readonly arm: Vec3;
  /** Unit vector of the axis of a joint that has one. */
  readonly axis: Vec3;
  /** Angular and linear velocity of the link relative to the parent, rad/s and m/s. */
  readonly relative: Motion;
}

/** Computes the pose of a joint's link, given the orientation of the parent. */
export function jointPose(kind: JointKind, parent: Quat, frame: JointFrame, state: JointState): JointPose {
  const atRest = parent.mul(frame.restOrientation);
  const arm = rotate(parent, frame.anchor);
  const axis = rotate(atRest, frame.axis);
  const none = ZERO();
  switch (kind) {
    case 'revolute': {
      const orientation = atRest.mul(aboutAxis(frame.axis, state.coordinate));
      return { orientation, arm, axis, relative: { angular: axis.mul(state.rate), linear: none } };
    }
    case 'prismatic': {
      const relative = { angular: none, linear: axis.mul(state.rate) };
      return { orientation: atRest, arm: arm.add(axis.mul(state.coordinate)), axis, relative };
    }
    case 'ball': {
      const orientation = atRest.mul(state.jointOrientation);
      const relative = { angular: rotate(orientation, state.angularVelocity), linear: none };
      return { orientation, arm, axis, relative };
    }
    case 'free': {
      const orientation = atRest.mul(state.jointOrientation);
      const angular = rotate(orientation, state.angularVelocity);
      const moved = arm.add(rotate(parent, state.translation));
      return { orientation, arm: moved, axis, relative: { angular, linear: rotate(parent, state.velocity) } };
    }
    case 'fixed':
      return { orientation: atRest, arm, axis, relative: { angular: none, linear: none } };
  }
}

function aboutAxis(axis: Vec3, angle: F32): Quat {
  const half = angle.mul(0.5);
  return new Quat([...axis.mul(sin(half)).components, cos(half)]);
}
