import { f32, field, mat33, vec3 } from '@gradsim/core';

/*
 * Fields of implicit joints. Rates of a joint are a vector: (q', 0, 0) of a joint with an axis, the angular velocity in
 * the link's axes of a ball joint.
 */

/** 1 for links whose joint is implicit, else 0. */
export const isImplicit = field('links', 'isImplicit', f32);
/** Degrees of freedom with dry friction of each joint: 1 with an axis, 3 of a ball joint, 0 of others. */
export const freedoms = field('links', 'rubbedFreedoms', f32);
/** Inertia about or along a joint of all its descendants, at the start: kg m^2, or kg for prismatic joints. */
export const frictionInertia = field('links', 'frictionInertia', f32);
/** kf of dry friction, N m s/rad or N s/m. */
export const frictionSlope = field('links', 'frictionSlope', f32);

/**
 * Fields for mixed models, with both implicit and explicit joints: the parts of drag that act at the end and at the
 * start of a substep.
 */
export const parts = {
  implicitDamping: field('links', 'implicitDamping', f32),
  implicitFriction: field('links', 'implicitFriction', f32),
  explicitDamping: field('links', 'explicitDamping', f32),
  explicitFriction: field('links', 'explicitFriction', f32),
  explicitSlope: field('links', 'explicitSlope', f32),
};

/**
 * Rates at the end of the substep, about which friction is linearised. Stored with the state, so that the backward pass
 * does not solve again.
 */
export const held = field('links', 'heldRates', vec3);
/** Residual impulse of joints at those rates, N m s or N s, besides damping. */
export const impulse = field('links', 'frictionImpulse', vec3);

/** Next iterate of Newton's method, and the accelerations that lead to it. */
export const trial = {
  rates: field('links', 'trialRates', vec3),
  impulse: field('links', 'trialImpulse', vec3),
  acceleration: field('links', 'trialAcceleration', f32),
  angularAcceleration: field('links', 'trialAngularAcceleration', vec3),
  linearAcceleration: field('links', 'trialLinearAcceleration', vec3),
};

/** Domain of trees of links, each with a line search of its own. */
export const TREES = 'linkTrees';
/** Changes of the objective for several step lengths, J s. */
export const changes = field(TREES, 'objectiveChanges', mat33);
/** Number of joints whose friction does not yet match their rates: of a tree, and of a world. */
export const unsettled = field(TREES, 'unsettledJoints', f32);
export const allUnsettled = field('world', 'unsettledJoints', f32);
