import type { Device, Model as ModelType, SimulationOptions } from '@gradsim/core';
import {
  bind,
  cpuDevice,
  createSimulation,
  exp,
  f32,
  f64Device,
  kernel,
  Model,
  perWorld,
  repeat,
  webgpuDevice,
} from '@gradsim/core';
import { gradientNoise } from '@gradsim/core/testing';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { describeWithAdapter } from '../../../../kernel/test/webgpu-adapter.ts';

const cpu = cpuDevice({ threads: 1 });
const f64 = f64Device();
afterAll(() => {
  cpu.dispose();
  f64.dispose();
});

const drift = kernel('drift', { domain: 'motes', reads: { x: f32, y: f32 }, writes: { y: f32 } }, ({ x, y }) => ({
  y: y.mul(0.5).add(x.mul(0.1)),
}));
const part = kernel(
  'part',
  { domain: 'motes', reads: { x: f32, factor: perWorld(f32) }, writes: { x: f32 } },
  ({ x, factor }) => ({ x: x.mul(factor) }),
);
const look = kernel('look', { domain: 'motes', reads: { x: f32 }, writes: { seen: f32 } }, ({ x }) => ({
  seen: x,
}));

/**
 * Builds a model with x' = factor x and y' = y / 2 + x / 10 in every substep: the adjoint of x at the start is factor^n
 * times that at the end.
 */
function motes(factor: number): ModelType {
  const model = new Model();
  model.addDomain('motes', 3);
  model.addField('motes', 'x', f32, { values: [1e-3, 2e-3, -1e-3] });
  model.addField('motes', 'y', f32, { fill: 0 });
  model.addField('world', 'factor', f32, { fill: factor });
  model.addPass('force', drift);
  model.addPass('integrate', part);
  model.addPass('observe', look);
  return model;
}

/**
 * Builds a model of the logistic map: neighbouring trajectories separate by a factor of two per substep, and so
 * derivatives grow.
 */
function chaotic(): ModelType {
  const model = new Model();
  model.addDomain('motes', 4);
  model.addField('motes', 'x', f32, { values: [0.1234, 0.31, 0.577, 0.83] });
  const map = kernel('map', { domain: 'motes', reads: { x: f32 }, writes: { x: f32 } }, ({ x }) => ({
    x: x.mul(x.neg().add(1)).mul(3.99),
  }));
  model.addPass('integrate', map);
  return model;
}

const RUN = { frames: 3, frameRate: 10, substeps: 200, parameters: ['motes.x'], outputs: ['motes.x'] };

async function ran(
  model: ModelType,
  device: Device,
  options: Partial<SimulationOptions> = {},
  seeds: Record<string, readonly number[]> = { 'motes.x': [1, 0, 0] },
) {
  const onWarning = vi.fn<(warning: string) => void>();
  const simulation = await createSimulation(model, { ...RUN, device, onWarning, ...options });
  simulation.forward();
  simulation.backward(seeds);
  return { simulation, onWarning };
}

const devices: [string, () => Promise<Device> | Device, number][] = [
  ['cpu', () => cpu, 1.08],
  ['f64', () => f64, 1.15],
];

/**
 * Checks that a growth of factor^400 is reported, naming the pass and the field, with the horizon log(carried) /
 * log(factor).
 */
async function tellsGrowth(device: Device, factor: number): Promise<void> {
  const { simulation, onWarning } = await ran(motes(factor), device);
  const before = await simulation.gradient('motes.x');
  expect(onWarning).toHaveBeenCalledTimes(1);
  const [text] = onWarning.mock.calls[0];
  expect(text).toContain('grows fastest in the derivative of part (phase integrate) with respect to motes.x');
  expect(text).toContain(`${device.precision === 'f32' ? 'single' : 'double'} precision carries`);
  const report = await simulation.gradientReport();
  const { growth, maxUsable, isExploded, field, horizon, pass, noise } = report;
  expect(maxUsable).toBe(device.precision === 'f32' ? 2 ** 23 : 2 ** 52);
  // The largest |x| is the same along the run, so that growth is that of the adjoint alone.
  expect(growth / factor ** 400).toBeCloseTo(1, 2);
  expect({ isExploded, field, noise }).toEqual({ isExploded: true, field: 'motes.x', noise: null });
  const exact = Math.log(maxUsable) / Math.log(factor);
  expect(Math.abs(horizon!.substeps - exact)).toBeLessThan(2);
  expect(horizon!.seconds).toBeCloseTo(horizon!.substeps / 2000, 12);
  expect(pass).toMatchObject({ kernel: 'part', phase: 'integrate', field: 'motes.x' });
  expect(pass!.factor).toBeCloseTo(factor, 3);
  // Gradients are unchanged, and the warning is not repeated.
  expect(await simulation.gradient('motes.x')).toEqual(before);
  simulation.backward({ 'motes.x': [0, 1, 0] });
  await simulation.gradient('motes.x');
  expect(onWarning).toHaveBeenCalledTimes(1);
  simulation.dispose();
}

describe('the growth of a gradient', () => {
  it.each(devices)(
    'is reported on %s above the limit of the precision, with the pass and the substeps to reach the limit',
    async (_, device, factor) => tellsGrowth(await device(), factor),
  );

  it('is not reported below the limit of the precision', async () => {
    for (const [device, factor] of [
      [cpu, 1.03],
      [f64, 1.08],
      [cpu, 0.9],
    ] as const) {
      const { simulation, onWarning } = await ran(motes(factor), device);
      simulation.gradientSync('motes.x');
      expect(onWarning).not.toHaveBeenCalled();
      const { growth, isExploded, horizon, pass } = await simulation.gradientReport();
      expect({ isExploded, horizon }).toEqual({ isExploded: false, horizon: null });
      // A decaying adjoint was largest at the end, where it was seeded.
      expect(growth / Math.max(1, factor ** 400)).toBeCloseTo(1, 2);
      expect(pass === null).toBe(factor < 1);
      simulation.dispose();
    }
  });

  it('is reported by gradientSync, and the same with only 1000 bytes for states', async () => {
    const { simulation, onWarning } = await ran(motes(1.08), cpu, { memory: 1000 });
    simulation.gradientSync('motes.x');
    expect(onWarning).toHaveBeenCalledTimes(1);
    const found = await simulation.gradientReport();
    const { simulation: whole } = await ran(motes(1.08), cpu);
    // Adjoints grow alike in every substep, so rounding decides which one is named.
    const { pass, ...same } = await whole.gradientReport();
    expect(found).toMatchObject({ ...same, pass: { kernel: pass!.kernel, field: pass!.field } });
    simulation.dispose();
    whole.dispose();
  });

  it('is that of the worst world', async () => {
    const { simulation } = await ran(motes(1), f64, { worlds: 3 }, { 'motes.x': Array(9).fill(1) });
    simulation.set('world.factor', [1, 1.2, 1.1]);
    simulation.forward();
    simulation.backward({ 'motes.x': Array(9).fill(1) });
    const { growth, world } = await simulation.gradientReport();
    expect(world).toBe(1);
    expect(growth / 1.2 ** 400).toBeCloseTo(1, 2);
    simulation.dispose();
  });

  it('is relative to the seeds of all frames, so that small seeds in the last ones cause no warning', async () => {
    const onWarning = vi.fn();
    const run = { frames: 21, frameRate: 10, parameters: ['motes.x'], record: ['motes.seen'], onWarning };
    for (const substeps of [1, 16, 200]) {
      const simulation = await createSimulation(motes(1), { ...run, device: cpu, substeps });
      simulation.forward();
      // The seeds of the last frames are negligible beside those of the first.
      const seen = Array.from({ length: 21 * 3 }, (_, k) => (k < 30 ? 1 : 1e-15));
      simulation.backward({ 'motes.seen': seen });
      await simulation.gradient('motes.x');
      expect(onWarning).not.toHaveBeenCalled();
      expect((await simulation.gradientReport()).growth).toBeLessThan(30);
      simulation.dispose();
    }
  });

  it('beyond the largest float is reported before the value is refused', async () => {
    const { simulation, onWarning } = await ran(motes(1.2), cpu, {}, { 'motes.x': [1e10, 0, 0] });
    await expect(simulation.gradient('motes.x')).rejects.toThrowCode({
      code: 'core/derivative-not-finite',
      field: 'motes.x',
      element: 'element 0 of motes',
    });
    expect(onWarning.mock.calls[0][0]).toContain('grew by more than can be computed');
    const { growth, horizon, pass } = await simulation.gradientReport();
    expect(growth).toBe(Number.POSITIVE_INFINITY);
    expect(pass).toMatchObject({ kernel: 'part', field: 'motes.x' });
    expect(horizon!.substeps).toBeLessThan(200);
    simulation.dispose();
  });

  it('is found in a loop of passes', async () => {
    const model = motes(1);
    model.passes.length = 0;
    model.addPass('integrate', repeat(3, [bind(drift), bind(part)]));
    const { simulation } = await ran(model, f64);
    simulation.set('world.factor', [1.05]);
    simulation.forward();
    simulation.backward({ 'motes.x': [1, 1, 1] });
    const { growth, pass } = await simulation.gradientReport();
    expect(growth / 1.05 ** 1200).toBeCloseTo(1, 2);
    expect(pass).toMatchObject({ kernel: 'part', field: 'motes.x' });
    simulation.dispose();
  });

  it('names the pass that contributes most in the substep of fastest growth', async () => {
    const model = new Model();
    model.addDomain('motes', 1);
    for (const name of ['x', 'y', 'clock']) model.addField('motes', name, f32, { fill: name === 'clock' ? 0 : 1 });
    const tick = kernel('tick', { domain: 'motes', reads: { clock: f32 }, writes: { clock: f32 } }, ({ clock }) => ({
      clock: clock.add(1),
    }));
    // By a factor of 50 in substep 300, by none in others.
    const jump = kernel(
      'jump',
      { domain: 'motes', reads: { x: f32, clock: f32 }, writes: { x: f32 } },
      ({ x, clock }) => {
        const since = clock.sub(300);
        return { x: x.mul(exp(since.mul(since).mul(-50)).mul(49).add(1)) };
      },
    );
    // By 5 % in each of the first hundred substeps: a larger total.
    const creep = kernel(
      'creep',
      { domain: 'motes', reads: { y: f32, clock: f32 }, writes: { y: f32 } },
      ({ y, clock }) => {
        const square = clock.div(100).mul(clock.div(100));
        const eighth = square.mul(square).mul(square.mul(square));
        return { y: y.mul(exp(eighth.neg()).mul(0.05).add(1)) };
      },
    );
    for (const pass of [jump, creep, tick]) model.addPass('integrate', pass);
    const fields = ['motes.x', 'motes.y'];
    const { simulation } = await ran(
      model,
      f64,
      { parameters: fields, outputs: fields },
      { 'motes.x': [1], 'motes.y': [1] },
    );
    const { pass } = await simulation.gradientReport();
    expect(pass).toMatchObject({ kernel: 'jump', field: 'motes.x', substep: 300 });
    simulation.dispose();
  });

  it('is reported with the number of substeps after which it reaches a given factor', async () => {
    const { simulation } = await ran(motes(1.08), cpu);
    const { maxUsable, horizon } = await simulation.gradientReport({ growth: 1000 });
    expect(maxUsable).toBe(1000);
    expect(Math.abs(horizon!.substeps - Math.log(1000) / Math.log(1.08))).toBeLessThan(2);
    await expect(simulation.gradientReport({ growth: 0.5 })).rejects.toThrowCode({
      code: 'core/option-out-of-range',
      field: 'growth',
      values: [0.5],
    });
    simulation.dispose();
  });

  it('of a run of frame 0 alone is 0', async () => {
    const { simulation } = await ran(
      motes(2),
      cpu,
      { frames: 1, record: ['motes.seen'], outputs: ['motes.seen'] },
      {
        'motes.seen': [1, 1, 1],
      },
    );
    expect(await simulation.gradientReport()).toMatchObject({ growth: 0, pass: null, horizon: null });
    simulation.dispose();
  });

  it('is refused before a backward pass', async () => {
    const simulation = await createSimulation(motes(1), { ...RUN, device: cpu });
    simulation.forward();
    await expect(simulation.gradientReport()).rejects.toThrowCode({
      code: 'core/no-backward-yet',
      values: ['gradientReport'],
    });
    simulation.dispose();
  });
});

describe('single-precision noise of a gradient', () => {
  const few = { frames: 2, frameRate: 1, substeps: 4, parameters: ['motes.x'], outputs: ['motes.x'] };
  const seeds = { 'motes.x': [1, -0.5, 0.3, 0.8] };

  it('is below 1e-4 after 4 substeps and above 0.1 after 40 chaotic ones, on cpu and f64, and leaves the run unchanged', async () => {
    for (const device of [cpu, f64])
      for (const [substeps, least, most] of [
        [4, 1e-9, 1e-4],
        [40, 0.1, Number.POSITIVE_INFINITY],
      ] as const) {
        const { simulation } = await ran(chaotic(), device, { ...few, substeps }, seeds);
        const [x, gradient] = [await simulation.read('motes.x'), await simulation.gradient('motes.x')];
        const { noise } = await simulation.gradientReport({ noise: true });
        expect(noise!['motes.x']).toBeGreaterThan(least);
        expect(noise!['motes.x']).toBeLessThan(most);
        expect(await simulation.read('motes.x')).toEqual(x);
        expect(await simulation.gradient('motes.x')).toEqual(gradient);
        simulation.dispose();
      }
  });

  it('is within a factor of 10 of what gradientNoise measures', async () => {
    const { simulation } = await ran(chaotic(), cpu, { ...few, substeps: 12 }, seeds);
    const { noise } = await simulation.gradientReport({ noise: true });
    const other = await gradientNoise(chaotic(), { ...few, substeps: 12, device: cpu, seed: 3 });
    const ratio = noise!['motes.x'] / other.noise;
    expect(ratio).toBeGreaterThan(0.1);
    expect(ratio).toBeLessThan(10);
    simulation.dispose();
  });
});

describeWithAdapter('the growth of a gradient on the device webgpu', () => {
  it('the growth of a gradient is reported on webgpu as on other devices', async () => {
    const device = await webgpuDevice({ allowSoftware: true });
    await tellsGrowth(device, 1.08);
    device.dispose();
  });
});
