/**
 * Source of a module without its exports: defines a point in `scene`, and a `problem` that estimates its speed in a few
 * iterations.
 */
export const DROP = `
import { buildModel, createScene } from '@gradsim/core';
import { Particle, particles } from '@gradsim/particles';
const scene = createScene([particles()]);
scene.add(Particle, { position: [0, 1, 0], mass: 1 });
const problem = {
  model: buildModel(scene), frames: 3, frameRate: 30, substeps: 2,
  parameters: [{ name: 'speed', field: 'particles.velocity', component: 0, initial: 0.1 }],
  observations: [{ field: 'particles.position', target: [0, 1, 0, 0.1, 1, 0, 0.2, 1, 0] }],
  options: { search: { iterations: 2 } },
};
`;
