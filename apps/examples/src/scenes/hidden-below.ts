import type { Plugin } from '@gradsim/core';
import { definePlugin, kernel, max, vec3 } from '@gradsim/core';
import { BodyVertex } from '@gradsim/rigid';

/** Kernel that moves the vertices of bodies that are below the ground, y < 0, up to it. */
export const liftToGround = kernel(
  'liftToGround',
  { domain: 'bodyVertices', reads: { position: BodyVertex.position }, writes: { position: BodyVertex.position } },
  ({ position: { x, y, z } }) => ({ position: vec3(x, max(y, 0), z) }),
);

/**
 * Plugin that approximates how an opaque ground at y = 0 hides the parts of bodies that have sunk into it: it moves
 * their vertices up to the ground before drawing, where the ground would cut the faces off. The motion is not affected.
 */
export function hiddenBelow(): Plugin {
  return definePlugin({
    name: 'examples/hidden-below',
    contract: 1,
    requires: ['@gradsim/rigid'],
    build: ({ model }) => {
      model.addPass('pose', liftToGround, { after: ['@gradsim/rigid'] });
    },
  });
}
