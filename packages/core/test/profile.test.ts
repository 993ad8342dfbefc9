import { cpuDevice, createSimulation, f32, f64Device, kernel, Model, profileDevice } from '@gradsim/core';
import { describe, expect, it } from 'vitest';

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
  ...{ frames: 3, frameRate: 10, substeps: 4 },
  ...{ parameters: ['nodes.x'], outputs: ['nodes.x'] },
};

describe('a profile', () => {
  for (const make of [cpuDevice, f64Device]) {
    it(`counts dispatches and bytes of every pass, and leaves results alone, on ${make().kind}`, async () => {
      const results = async (device: ReturnType<typeof cpuDevice>): Promise<Float64Array[]> => {
        const simulation = await createSimulation(growing(), { device, ...settings });
        simulation.forward();
        simulation.backward({ 'nodes.x': new Float64Array(100).fill(1) });
        return [await simulation.read('nodes.x'), await simulation.gradient('nodes.x')];
      };
      const device = profileDevice(make());
      expect(await results(device)).toEqual(await results(make()));
      const passes = device.profile();
      const forward = passes.find(({ program }) => program === 'physics')!;
      // 2 frames of 4 substeps; each reads and writes 100 numbers of 4 bytes.
      expect(forward).toMatchObject({ pass: 'grow', dispatches: 8, bytes: 8 * 2 * 400 });
      expect(passes.find(({ program }) => program === 'physicsReverse')!.dispatches).toBe(8);
      for (const { milliseconds } of passes) expect(milliseconds).toBeGreaterThanOrEqual(0);
      device.dispose();
    });
  }
});
