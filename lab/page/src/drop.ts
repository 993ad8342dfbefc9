import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Device } from '@gradsim/core';
import { buildModel, createScene, createSimulation } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import { DirectionalLight, OrbitCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';
import { Body, rigid } from '@gradsim/rigid';
import type { Bits } from './bits.ts';
import { bitsOf } from './bits.ts';

const PARAMETERS = ['bodies.velocity', 'bodies.density', 'bodies.ke', 'bodies.mu', 'faces.albedo', 'cameras.distance'];

/** Drops a spinning box onto the ground and films it: returns its final state, the pictures, and gradients of both. */
export async function drop(device: Device): Promise<Bits> {
  const scene = createScene([
    rigid(),
    contact(),
    render({ width: 16, height: 16 }),
    softRas({ sigma: 1e-4, gamma: 1e-2 }),
  ]);
  const body = scene.add(Body, {
    mesh: box({ size: [0.3, 0.2, 0.25] }),
    density: 400,
    position: [0, 0.35, 0],
    orientation: [0.1, 0.2, 0.3, 0.9],
    velocity: [0.5, 0, 0.2],
    angularVelocity: [1, 2, -1],
  });
  scene.attach(body, contactOf(Body), { ke: 4e3, kd: 8, kf: 30, mu: 0.4 });
  scene.add(HalfSpace, {});
  scene.add(OrbitCamera, { target: [0, 0.1, 0], distance: 1.2, elevation: 0.3, fieldOfView: 0.7 });
  scene.add(DirectionalLight, { direction: [1, 2, 1], color: [0.7, 0.7, 0.7] });
  const simulation = await createSimulation(buildModel(scene), {
    device,
    frames: 6,
    frameRate: 15,
    substeps: 20,
    record: ['pixels.rgba'],
    parameters: PARAMETERS,
    outputs: ['pixels.rgba', 'bodies.position'],
  });
  simulation.forward();
  const pictures = await simulation.readFrames('pixels.rgba');
  const results: Bits = {
    pictures: bitsOf(pictures),
    position: bitsOf(await simulation.read('bodies.position')),
    orientation: bitsOf(await simulation.read('bodies.orientation')),
  };
  // Of sum (value - weight)^2 / 2 over all pictures, and of the height at the end.
  const adjoint = pictures.map((value, k) => Math.fround(value - (k % 8) / 8));
  simulation.backward({ 'pixels.rgba': adjoint, 'bodies.position': [0, 1, 0] });
  for (const key of PARAMETERS) results[`gradient of ${key}`] = bitsOf(await simulation.gradient(key));
  simulation.dispose();
  return results;
}
