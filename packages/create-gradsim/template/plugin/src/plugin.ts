import type { Plugin } from '@gradsim/core';
import { definePlugin } from '@gradsim/core';
import { Drag } from './component.ts';
import { dampingOfDrag, dragForce } from './kernels.ts';

/**
 * Plugin for drag on particles, proportional to their velocity.
 *
 * ```ts
 * const scene = createScene([particles(), drag()]);
 * const ball = scene.add(Particle, { position: [0, 1, 0], mass: 0.1 });
 * scene.attach(ball, Drag, { drag: 0.3 });
 * ```
 */
export function drag(): Plugin {
  return definePlugin({
    name: 'my-plugin',
    contract: 1,
    requires: ['@gradsim/particles'],
    components: [Drag],
    build: ({ model }) => {
      model.addPass('setup', dampingOfDrag);
      model.addPass('force', dragForce);
    },
  });
}
