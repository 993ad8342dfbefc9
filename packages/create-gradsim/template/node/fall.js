import { buildModel, cpuDevice, createScene, createSimulation } from 'gradsim/core';
import { box } from 'gradsim/mesh';
import { Body, rigid } from 'gradsim/rigid';

// A brick, thrown: 30 frames of a second, 16 substeps between two of them.
const scene = createScene([rigid()]);
scene.add(Body, { mesh: box({ size: [0.2, 0.06, 0.1] }), density: 1800, position: [0, 1, 0], velocity: [3, 4, 0] });

const simulation = await createSimulation(buildModel(scene), {
  device: cpuDevice(),
  frames: 31,
  frameRate: 30,
  substeps: 16,
  parameters: [Body.velocity, Body.drag],
  outputs: [Body.position],
});
simulation.forward();
console.log('position after a second, m:', await simulation.read(Body.position));

// What is wanted the derivative of: the distance x that it has covered.
simulation.backward({ [Body.position.key]: [1, 0, 0] });
console.log('d x / d velocity, s:', await simulation.gradient(Body.velocity));
console.log('d x / d drag, m^2:', await simulation.gradient(Body.drag));
simulation.dispose();
