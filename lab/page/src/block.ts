import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Device } from '@gradsim/core';
import { buildModel, createScene, createSimulation } from '@gradsim/core';
import { addSoftBody, fem } from '@gradsim/fem';
import { placeMesh, tetBox } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import type { Bits } from './bits.ts';
import { bitsOf } from './bits.ts';

/**
 * Drops a soft block onto the ground several times: large enough that threads share its elements, and often enough that
 * they have started.
 */
export async function fallOfBlock(device: Device): Promise<Bits> {
  const scene = createScene([particles(), fem(), contact()]);
  const block = tetBox({ cells: [10, 6, 6], size: [0.5, 0.3, 0.3] });
  const mesh = placeMesh(block, { translation: [0, 0.155, 0] });
  const body = addSoftBody(scene, mesh, {
    mu: 1e4,
    lambda: 2e4,
    damping: 5,
    density: 1000,
    velocity: [0.5, -1, 0.2],
  });
  for (const particle of body.particles)
    scene.attach(particle, contactOf(Particle), { ke: 2e3, kd: 2, kf: 10, mu: 0.4 });
  scene.add(HalfSpace, {});
  const simulation = await createSimulation(buildModel(scene), {
    device,
    frames: 4,
    frameRate: 60,
    substeps: 32,
    parameters: ['tets.mu', 'particles.velocity'],
    outputs: ['particles.position'],
  });
  const results: Bits = {};
  for (let run = 0; run < 3; run++) {
    simulation.forward();
    const position = await simulation.read('particles.position');
    simulation.backward({ 'particles.position': position.map((_, k) => Math.fround(1 - (k % 5) / 3)) });
    results[`position, run ${run}`] = bitsOf(position);
    results[`gradient of tets.mu, run ${run}`] = bitsOf(await simulation.gradient('tets.mu'));
    results[`gradient of particles.velocity, run ${run}`] = bitsOf(await simulation.gradient('particles.velocity'));
  }
  simulation.dispose();
  return results;
}
