import { f32, field, index, vec3, vec4 } from '@gradsim/core';
import { Link } from '../link.ts';
import { Constraint } from './constraint.ts';

/** Domain of the equations of constraints, three numbers each: one of a `connect` or a `gear`, two of a `weld`. */
export const CONSTRAINT_ROWS = 'constraintRows';

/** Constraint of each row, the links at its two ends, and its kind: see {@link ROW_WEIGHTS}. */
export const constraintOf = field(CONSTRAINT_ROWS, 'constraint', index(Constraint.domain));
export const first = field(CONSTRAINT_ROWS, 'first', index(Link.domain));
export const second = field(CONSTRAINT_ROWS, 'second', index(Link.domain));
/** Weights of a row, each 0 or 1: of points, orientations and coordinates, and of the second end, 0 for the world. */
export const weights = field(CONSTRAINT_ROWS, 'weights', vec4);
/** Root of the inertia that a row moves in the pose of the scene, sqrt(kg) or sqrt(kg) m. */
export const rowScale = field(CONSTRAINT_ROWS, 'rowScale', f32);

/** Multipliers: forces N, couples N m and torques of constraints over `rowScale`. */
export const multiplier = field(CONSTRAINT_ROWS, 'multiplier', vec3);
/** Residual of a row: what the acceleration of its violation lacks, times `rowScale`. */
export const residual = field(CONSTRAINT_ROWS, 'residual', vec3);

/** Loads on links with those of constraints: force N at the centre of mass, torque N m about it, effort of the joint. */
export const constraintLoads = {
  force: field(Link.domain, 'constrainedForce', vec3),
  torque: field(Link.domain, 'constrainedTorque', vec3),
  effort: field(Link.domain, 'constrainedEffort', f32),
};
/** Angular acceleration of a link and acceleration of its origin, less gravity, world axes. */
export const movedAccelerations = {
  alpha: field(Link.domain, 'linkAlpha', vec3),
  acceleration: field(Link.domain, 'linkAcceleration', vec3),
  /** The same at constant rates of all joints. */
  coastAlpha: field(Link.domain, 'linkCoastAlpha', vec3),
  coastAcceleration: field(Link.domain, 'linkCoastAcceleration', vec3),
};
