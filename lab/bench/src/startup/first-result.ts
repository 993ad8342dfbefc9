// A user's first program: loads the packages, makes a small scene, and runs one frame of it forward and back. It prints
// when each part was done, in milliseconds since the process began, and the milliseconds of the processor in all.
import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene, createSimulation, selectDevice } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import { OrbitCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';
import { Body, rigid } from '@gradsim/rigid';

const loaded = performance.now();
const scene = createScene([
  rigid(),
  contact(),
  render({ width: 64, height: 64 }),
  softRas({ sigma: 1e-4, gamma: 1e-3, near: 1, far: 50 }),
]);
const body = scene.add(Body, { mesh: box({ size: [1, 1, 1] }), mass: 2, position: [0, 0.55, 0] });
scene.attach(body, contactOf(Body), { ke: 1e3, kd: 5, kf: 10, mu: 0.5 });
scene.add(HalfSpace, {});
scene.add(OrbitCamera, { target: [0, 0.5, 0], distance: 5, elevation: 0.4, azimuth: 0.6 });
const simulation = await createSimulation(buildModel(scene), {
  device: await selectDevice(process.argv[2] as 'cpu'),
  frames: 2,
  frameRate: 30,
  substeps: 32,
  parameters: ['bodies.mass', 'bodies.ke', 'bodies.position'],
  record: ['pixels.rgba'],
});
const compiled = performance.now();
simulation.forward();
const pixels = await simulation.readFrames('pixels.rgba');
const forward = performance.now();
simulation.backward({ 'pixels.rgba': pixels });
const [gradient] = await simulation.gradient('bodies.mass');
const backward = performance.now();
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ gradient, loaded, compiled, forward, backward, processor: (user + system) / 1000 }));
