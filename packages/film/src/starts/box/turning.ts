import { freeRotation, multiplyQuaternions } from '@gradsim/base';
import type { State, V3 } from '../path.ts';

/** Quaternion with the components x, y, z, w. */
export type Quaternion = readonly number[];

/**
 * Rotation of a box: its orientation, which maps its own axes to the world's, and its angular velocity in world axes,
 * rad/s.
 */
export interface RotationState {
  readonly orientation: Quaternion;
  readonly angularVelocity: V3;
}

/** State of a box: position in m, velocity in m/s, and its rotation. */
export interface BoxState extends State, RotationState {}

/** State of a box in the middle of an exposure. */
export interface ExposedBox extends BoxState {
  /**
   * Its states every `step` seconds, of which the middle one is its own: where a corner strikes in the exposure, it shows more than
   * one motion. Default: it moves on at constant velocities.
   */
  readonly path?: { readonly step: number; readonly states: readonly BoxState[] };
}

/** The orientation itself, and the three that differ from it by half a rotation about one of the body's axes. */
export const halfTurnsOf = (q: Quaternion): Quaternion[] =>
  [
    [0, 0, 0, 1],
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [0, 0, 1, 0],
  ].map((half) => multiplyQuaternions(q, half));

/**
 * Rotation of a box of uniform density and given size after torque-free motion of some seconds, forward or backward.
 */
export const freelyTurned = (state: RotationState, seconds: number, [a, b, c]: V3): RotationState =>
  freeRotation(state, seconds, [b * b + c * c, a * a + c * c, a * a + b * b]);
