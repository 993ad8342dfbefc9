import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene, createSimulation, selectDevice } from '@gradsim/core';
import { tetBox } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { expect, it } from 'vitest';
import { addSoftBody, fem } from '../src/index.ts';

it('states and gradients of a soft body are bitwise equal on one, two and three threads, and if the device chooses how many', async () => {
  const scene = createScene([particles(), fem(), contact()]);
  const mesh = tetBox({ size: [1, 0.5, 0.5], cells: [10, 5, 5] });
  const body = addSoftBody(scene, mesh, { mu: 1e4, lambda: 2e4, damping: 5, density: 1000, velocity: [0.5, -1, 0.2] });
  for (const particle of body.particles)
    scene.attach(particle, contactOf(Particle), { ke: 2e4, kd: 20, kf: 100, mu: 0.4 });
  scene.add(HalfSpace, {});
  const model = buildModel(scene);
  const parameters = ['particles.velocity', 'tets.mu', 'tets.lambda'];
  const results = async (threads: number | undefined) => {
    const device = await selectDevice('cpu', { threads });
    const simulation = await createSimulation(model, {
      device,
      frames: 9,
      frameRate: 60,
      substeps: 32,
      parameters,
      outputs: ['particles.position'],
    });
    const seeds = Float64Array.from({ length: 3 * body.particles.length }, (_, k) => Math.sin(1.7 * k));
    let found: ArrayLike<number>[] = [];
    // Enough runs for threads to start and both modes to be tried.
    for (let run = 0; run < (threads === undefined ? 12 : 2); run++) {
      simulation.forward();
      simulation.backward({ 'particles.position': seeds });
      found = [
        await simulation.read('particles.position'),
        ...(await Promise.all(parameters.map((key) => simulation.gradient(key)))),
      ];
    }
    simulation.dispose();
    device.dispose();
    return found;
  };
  const alone = await results(1);
  expect(Math.max(...Array.from(alone[2], Math.abs))).toBeGreaterThan(0);
  for (const threads of [2, 3, undefined]) expect(await results(threads)).toEqual(alone);
});
