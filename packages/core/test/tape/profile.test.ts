import type { Device } from '@gradsim/core';
import {
  cpuDevice,
  createSimulation,
  f32,
  f64Device,
  iterate,
  kernel,
  Model,
  perWorld,
  profileDevice,
  webgpuDevice,
} from '@gradsim/core';
import { findAdapter } from '@gradsim/kernel/internal';
import { describe, expect, it } from 'vitest';
import { missingAdapter } from '../../../kernel/test/webgpu-adapter.ts';

const grow = kernel('grow', { domain: 'nodes', reads: { x: f32 }, writes: { x: f32 } }, ({ x }, { dt }) => ({
  x: x.add(x.mul(dt)),
}));

function growing(): Model {
  const model = new Model();
  model.addDomain('nodes', 100);
  model.addField('nodes', 'x', f32, { values: Array.from({ length: 100 }, (_, k) => k) });
  model.addPass('integrate', grow);
  return model;
}
const settings = {
  frames: 3,
  frameRate: 10,
  substeps: 4,
  parameters: ['nodes.x'],
  outputs: ['nodes.x'],
};

const DEVICES: readonly [string, boolean, () => Device | Promise<Device>][] = [
  ['cpu', true, cpuDevice],
  ['f64', true, f64Device],
  ['webgpu', missingAdapter === null, () => webgpuDevice({ allowSoftware: true })],
];

async function results(device: Device): Promise<Float64Array[]> {
  const simulation = await createSimulation(growing(), { device, ...settings });
  simulation.forward();
  simulation.backward({ 'nodes.x': new Float64Array(100).fill(1) });
  return [await simulation.read('nodes.x'), await simulation.gradient('nodes.x')];
}

describe('a profile', () => {
  it.each(DEVICES.filter(([, isThere]) => isThere))(
    'counts dispatches and bytes of every pass, and leaves results unchanged, on %s',
    async (_name, _isThere, make) => {
      const device = profileDevice(await make());
      const plain = await make();
      expect(await results(device)).toEqual(await results(plain));
      plain.dispose();
      const passes = device.profile();
      const forward = passes.find(({ program }) => program === 'physics')!;
      // 2 frames of 4 substeps; each reads and writes 100 numbers.
      const bytes = 8 * 2 * 100 * (device.precision === 'f64' ? 8 : 4);
      expect(forward).toMatchObject({ pass: 'grow', dispatches: 8, bytes });
      expect(passes.find(({ program }) => program === 'physicsReverse')!.dispatches).toBe(8);
      for (const { milliseconds } of passes) expect(milliseconds).toBeGreaterThanOrEqual(0);
      expect(passes.reduce((sum, { milliseconds }) => sum + milliseconds, 0)).toBeGreaterThan(0);
      device.dispose();
    },
  );

  it('counts the iterations that ran, not the allowed maximum', async () => {
    const halve = kernel(
      'halve',
      { domain: 'nodes', reads: { x: f32 }, writes: { x: f32 }, adds: { left: perWorld(f32) } },
      ({ x, left }) => {
        left.add(x);
        return { x: x.mul(0.5) };
      },
    );
    const model = new Model();
    model.addDomain('nodes', 1);
    model.addField('nodes', 'x', f32, { fill: 1 });
    model.addPass('integrate', iterate([halve], { until: { field: 'left', below: 0.1 }, maxRounds: 40 }));
    const device = profileDevice(cpuDevice());
    const simulation = await createSimulation(model, { device, frames: 2, frameRate: 1, substeps: 1 });
    simulation.forward();
    // 1, 1/2, 1/4, 1/8, 1/16.
    expect(await simulation.read('nodes.x')).toEqual(new Float64Array([1 / 32]));
    expect(device.profile().find(({ pass }) => pass.includes('halve'))?.dispatches).toBe(5);
    device.dispose();
  });

  it.skipIf(missingAdapter !== null)('is refused by a GPU without timestamps', async () => {
    const mine = await (await findAdapter({ allowSoftware: true })).requestDevice();
    await expect(results(profileDevice(await webgpuDevice({ device: mine })))).rejects.toThrowCode(
      'kernel/no-gpu-times',
    );
    mine.destroy();
  });
});
