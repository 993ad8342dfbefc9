import type { Device, SimulationOptions } from '@gradsim/core';
import { cpuDevice, createSimulation, f32, kernel, Model, profileDevice } from '@gradsim/core';
import { describe, expect, it } from 'vitest';
import { smallOnCpu } from '../../../kernel/src/devices/small-on-cpu.ts';

const grow = kernel('grow', { domain: 'nodes', reads: { x: f32 }, writes: { x: f32 } }, ({ x }, { dt }) => ({
  x: x.add(x.mul(dt)),
}));
const square = kernel('square', { domain: 'pixels', reads: { v: f32 }, writes: { squared: f32 } }, ({ v }) => ({
  squared: v.mul(v),
}));

/** Model of one pass a substep over `nodes`, and one a frame over `pixels`. */
function growing(nodes: number, pixels: number): Model {
  const model = new Model();
  model.addDomain('nodes', nodes);
  model.addField('nodes', 'x', f32, { values: Array.from({ length: nodes }, (_, k) => k / nodes) });
  model.addPass('integrate', grow);
  model.addDomain('pixels', pixels);
  model.addField('pixels', 'v', f32, { values: new Array(pixels).fill(2) });
  model.addPass('observe', square);
  return model;
}

/** A device that claims to be a hardware GPU, and counts its executors. */
function claimedGpu() {
  const cpu = cpuDevice({ threads: 1 });
  const made = { executors: 0, isDisposed: false };
  const device: Device = {
    ...cpu,
    kind: 'webgpu',
    description: 'Claimed GPU',
    createExecutor: (spec) => {
      made.executors++;
      return cpu.createExecutor(spec);
    },
    dispose: () => {
      made.isDisposed = true;
      cpu.dispose();
    },
  };
  return { device, made };
}

const settings = { frames: 2, frameRate: 10, substeps: 4 } as const;
async function executorsOnGpu(model: Model, options: Partial<SimulationOptions> = {}): Promise<number> {
  const { device, made } = claimedGpu();
  const both = smallOnCpu(device, cpuDevice({ threads: 1 }));
  const simulation = await createSimulation(model, { ...settings, device: both, ...options });
  simulation.dispose();
  both.dispose();
  return made.executors;
}

describe('a GPU that leaves small models to the CPU', () => {
  it('runs few elements on the CPU, and many on the GPU, by the mean over dispatches of a frame', async () => {
    expect(await executorsOnGpu(growing(1, 1))).toBe(0);
    expect(await executorsOnGpu(growing(1999, 1999))).toBe(0);
    expect(await executorsOnGpu(growing(2000, 2000))).toBe(1);
    // A picture a frame of 4 substeps: (4 * 1 + 9996) / 5 = 2000.
    expect(await executorsOnGpu(growing(1, 9995))).toBe(0);
    expect(await executorsOnGpu(growing(1, 9996))).toBe(1);
  });

  it('counts worlds, and values with their tangents', async () => {
    expect(await executorsOnGpu(growing(100, 100), { worlds: 19 })).toBe(0);
    expect(await executorsOnGpu(growing(100, 100), { worlds: 20 })).toBe(1);
    const along = { parameters: ['nodes.x'], outputs: ['nodes.x'], derivative: 'tangent' } as const;
    expect(await executorsOnGpu(growing(100, 100), { ...along, worlds: 4, tangents: 3 })).toBe(0);
    expect(await executorsOnGpu(growing(100, 100), { ...along, worlds: 4, tangents: 4 })).toBe(1);
  });

  it('gives a small model what the CPU alone gives, profiled too, and says so', async () => {
    const both = smallOnCpu(claimedGpu().device, cpuDevice({ threads: 1 }));
    expect(both.description).toMatch(/^Claimed GPU; WebAssembly.* for models of fewer than 2000 elements/);
    const profiled = profileDevice(both);
    const results = [];
    for (const device of [cpuDevice({ threads: 1 }), both, profiled]) {
      const simulation = await createSimulation(growing(5, 1), { ...settings, device });
      simulation.forward();
      results.push(await simulation.read('nodes.x'));
    }
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
    expect(profiled.profile().find(({ pass }) => pass === 'grow')!.dispatches).toBe(4);
  });

  it('frees both devices', () => {
    const { device, made } = claimedGpu();
    let isCpuDisposed = false;
    const cpu = { ...cpuDevice({ threads: 1 }), dispose: () => (isCpuDisposed = true) };
    smallOnCpu(device, cpu).dispose();
    expect([made.isDisposed, isCpuDisposed]).toEqual([true, true]);
  });
});
