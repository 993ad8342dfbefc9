import type { Component } from '@gradsim/core';
import { defineOffer } from '@gradsim/core';

/** Points that can touch: the elements of a component, with the fields `position`, `velocity` and the sum `force`. */
export interface PointsThatTouch {
  readonly component: Component;
}
export const PointsThatTouch = defineOffer<PointsThatTouch>('points that can touch');

/**
 * Bodies that can touch: the elements of a component, with the fields `position`, `orientation`, `velocity`,
 * `angularVelocity` and the sums `force` and `torque`.
 */
export interface BodiesThatTouch {
  readonly component: Component;
  /** The vertices of all bodies' meshes: whose each is, and where, in body axes from the centre of mass, m. */
  readonly vertices: {
    readonly body: ArrayLike<number>;
    readonly local: ArrayLike<number>;
    /** Three vertices a triangle. */
    readonly triangles: ArrayLike<number>;
  };
}
export const BodiesThatTouch = defineOffer<BodiesThatTouch>('bodies that can touch');
