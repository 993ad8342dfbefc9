import type { Plugin } from '@gradsim/core';
import { definePlugin, kernel, max, vec3 } from '@gradsim/core';
import { BodyVertex } from '@gradsim/rigid';

/** Points of a body that have sunk into the ground, y < 0, lifted to it. */
export const liftToGround = kernel(
  'liftToGround',
  { domain: 'bodyVertices', reads: { position: BodyVertex.position }, writes: { position: BodyVertex.position } },
  ({ position: { x, y, z } }) => ({ position: vec3(x, max(y, 0), z) }),
);

/**
 * Shows bodies as an opaque ground at y = 0 leaves them: what has sunk into it is hidden. Motion knows nothing of it. Near the
 * ground this is rough: a sunk corner is lifted, where it would be cut off.
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
