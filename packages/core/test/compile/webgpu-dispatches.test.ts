import type { Simulation } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device, webgpuDevice } from '@gradsim/core';
import { findAdapter } from '@gradsim/kernel/internal';
import { expect, it } from 'vitest';
import { describeWithAdapter } from '../../../kernel/test/webgpu-adapter.ts';
import { central, Link, Mote } from '../toy.ts';

/** Builds a model of motes in a ring. */
function ring(count: number) {
  const scene = createScene([central]);
  const motes = Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * k) / count;
    const position = [Math.cos(angle), Math.sin(angle), 0.1 * Math.sin(3 * angle)];
    return scene.add(Mote, { position, mass: 1 + (k % 3), velocity: [0, 0.1, 0] });
  });
  motes.forEach((mote, k) => {
    scene.add(Link, { ends: [mote, motes[(k + 1) % count]], stiffness: 20 + (k % 5), restLength: 0.1 });
  });
  return buildModel(scene);
}

const RUN = {
  frames: 3,
  frameRate: 10,
  substeps: 8,
  parameters: ['motes.mass', 'links.stiffness', 'motes.position', 'world.strength'],
  record: ['world.energy'],
  outputs: ['world.energy', 'motes.position'],
};

async function results(simulation: Simulation, count: number): Promise<Float64Array[]> {
  simulation.forward();
  const position = await simulation.read('motes.position');
  simulation.backward({
    'world.energy': [1, -1, 0.5],
    'motes.position': Float64Array.from({ length: 3 * count }, (_, k) => Math.sin(k)),
  });
  return [position, ...(await Promise.all(RUN.parameters.map((key) => simulation.gradient(key))))];
}

const size = (values: Float64Array): number => values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

describeWithAdapter('programs on the device webgpu', () => {
  // 16 substeps and 3 frames, forward and backward, with setup before and sums after.
  it.each([
    ['at most 30 for 40 motes, which fit into a workgroup', 40, 30],
    ['at most 128 for 300 motes', 300, 16 * 8],
  ])('webgpu dispatches of 16 substeps with their gradient stay few, %s', async (_, count, most) => {
    const mine = await (await findAdapter({ allowSoftware: true })).requestDevice();
    let dispatches = 0;
    const createCommandEncoder = mine.createCommandEncoder.bind(mine);
    mine.createCommandEncoder = (descriptor) => {
      const encoder = createCommandEncoder(descriptor);
      const begin = encoder.beginComputePass.bind(encoder);
      encoder.beginComputePass = (of) => {
        const pass = begin(of);
        const dispatch = pass.dispatchWorkgroups.bind(pass);
        pass.dispatchWorkgroups = (...groups) => {
          dispatches++;
          dispatch(...groups);
        };
        return pass;
      };
      return encoder;
    };
    const device = await webgpuDevice({ device: mine });
    const single = await results(await createSimulation(ring(count), { ...RUN, device }), count);
    console.info(`${count} motes: ${dispatches} dispatches`);
    expect(dispatches).toBeLessThanOrEqual(most);
    const double = await results(await createSimulation(ring(count), { ...RUN, device: f64Device() }), count);
    single.forEach((values, k) => {
      const error = size(values.map((x, i) => x - double[k][i])) / size(double[k]);
      expect(error, `result ${k}`).toBeLessThan(k === 0 ? 1e-5 : 1e-4);
    });
    device.dispose();
    mine.destroy();
  });
});
