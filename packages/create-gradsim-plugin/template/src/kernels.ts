import { f32, kernel, vec3 } from '@gradsim/core';
import { Drag } from './component.ts';

// Fields of the plugin's own are named by reference. Those of other plugins, here of `@gradsim/particles`, go by their
// names, so that this package needs nothing but core.

/** f = -c v */
export const dragForce = kernel(
  'dragForce',
  { domain: 'particles', reads: { velocity: vec3, drag: Drag.drag }, adds: { force: vec3 } },
  ({ velocity, drag, force }) => force.add(velocity.mul(drag.neg())),
);

/** What drag adds to the damping around a particle, from which follows the largest substep that is stable. */
export const dampingOfDrag = kernel(
  'dampingOfDrag',
  { domain: 'particles', reads: { drag: Drag.drag }, adds: { dampingAround: f32 } },
  ({ drag, dampingAround }) => dampingAround.add(drag),
);
