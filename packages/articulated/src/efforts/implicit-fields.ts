import { f32, field, mat33, vec3 } from '@gradsim/core';

/*
 * Fields of implicit joints. Rates of a joint are a vector: (q', 0, 0) of a joint with an axis, the angular velocity in
 * the link's axes of a ball joint.
 */

/** 1 for links whose joint is implicit, else 0. */
export const isImplicit = field('links', 'isImplicit', f32);
/**
 * Number of degrees of freedom with dry friction of each implicit joint: 1 of a joint with an axis, 3 of a ball joint,
 * 0 of others.
 */
export const freedoms = field('links', 'rubbedFreedoms', f32);
/**
 * Inertia that a joint moves in the initial pose, its link and all descendants: kg m^2 about it, or kg along prismatic
 * joints.
 */
export const frictionInertia = field('links', 'frictionInertia', f32);
/** Slope kf of dry friction through zero, N m s/rad or N s/m. */
export const frictionSlope = field('links', 'frictionSlope', f32);

/**
 * Fields of models with both implicit and explicit joints: the parts of damping and dry friction that act at the end of
 * a substep (implicit) and at its start (explicit).
 */
export const dragParts = {
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
export const endRates = field('links', 'heldRates', vec3);
/** Rates of the turn of friction in the substep, see `FrictionLaw`: 0 of joints that do not turn back. Stored, as `endRates`. */
export const frictionTurn = field('links', 'frictionTurn', vec3);
/** Residual impulse of joints at the `endRates`, without that of damping, N m s or N s. */
export const impulse = field('links', 'frictionImpulse', vec3);

/** Fields of the next iterate of Newton's method: rates, residual impulse, and the accelerations that lead to them. */
export const trialIterate = {
  rates: field('links', 'trialRates', vec3),
  impulse: field('links', 'trialImpulse', vec3),
  acceleration: field('links', 'trialAcceleration', f32),
  angularAcceleration: field('links', 'trialAngularAcceleration', vec3),
  linearAcceleration: field('links', 'trialLinearAcceleration', vec3),
};

/** Domain of trees of links, each with a line search of its own. */
export const LINK_TREES = 'linkTrees';
/** Changes of the minimised objective for nine step lengths, J. */
export const objectiveChanges = field(LINK_TREES, 'objectiveChanges', mat33);
/** Number of joints whose friction does not yet match their rates: in a tree, and in a world. */
export const unsettled = field(LINK_TREES, 'unsettledJoints', f32);
export const allUnsettled = field('world', 'unsettledJoints', f32);
