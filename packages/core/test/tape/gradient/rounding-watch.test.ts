import type { Device, Simulation } from '@gradsim/core';
import { cpuDevice, createSimulation, f32, f64Device, kernel, Model, select, webgpuDevice } from '@gradsim/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { describeWithAdapter } from '../../../../kernel/test/webgpu-adapter.ts';

const cpu = cpuDevice({ threads: 1 });
const f64 = f64Device();
afterAll(() => {
  cpu.dispose();
  f64.dispose();
});

const SUBSTEPS = 14;
/** The tent map: its slope is 2 below 1/2 and -2 above, so that the derivative of a run is 2^n or -2^n. */
const tent = kernel('tent', { domain: 'motes', reads: { x: f32 }, writes: { x: f32 } }, ({ x }) => ({
  x: select(x.lt(0.5), x, x.neg().add(1)).mul(2),
}));

async function runFrom(x: number, device: Device, substeps = SUBSTEPS) {
  const model = new Model();
  model.addDomain('motes', 1);
  model.addField('motes', 'x', f32, { values: [x] });
  model.addPass('integrate', tent);
  const onWarning = vi.fn<(warning: string) => void>();
  const simulation = await createSimulation(model, {
    device,
    frames: 2,
    frameRate: 1,
    substeps,
    parameters: ['motes.x'],
    outputs: ['motes.x'],
    onWarning,
  });
  return { simulation, onWarning };
}

/** Returns what 14 substeps make of x, and their derivative by x. */
function exactly(x: number): { value: number; slope: number } {
  let [value, slope] = [x, 1];
  for (let n = 0; n < SUBSTEPS; n++)
    [value, slope] = value < 0.5 ? [2 * value, 2 * slope] : [2 - 2 * value, -2 * slope];
  return { value, slope };
}

const gradientOf = async (simulation: Simulation): Promise<number> => {
  simulation.forward();
  simulation.backward({ 'motes.x': [1] });
  return (await simulation.gradient('motes.x'))[0];
};

/** A start from which the kink at 1/2 is met exactly in the last substep. It has 14 bits: single precision is exact. */
const TO_KINK = ((): number => {
  let x = 0.5;
  for (let n = 1; n < SUBSTEPS; n++) x = n % 3 ? 1 - x / 2 : x / 2;
  return x;
})();

describe('a gradient in single precision whose motion comes within rounding of a kink', () => {
  it('is reported where its sign is wrong; in doubles it is right and not reported', async () => {
    // Both starts are the same number in single precision; in doubles one lies on each side of the kink.
    const gradients: number[] = [];
    const slopes: number[] = [];
    for (const start of [TO_KINK - 2 ** -30, TO_KINK + 2 ** -30]) {
      const single = await runFrom(start, cpu);
      gradients.push(await gradientOf(single.simulation));
      expect(single.onWarning).toHaveBeenCalledTimes(1);
      const [text] = single.onWarning.mock.calls[0];
      expect(text).toContain(
        'The gradient by motes.x is not to be trusted: it changes by 2 times its largest component',
      );
      expect(text).toContain('Its 14 substeps make rounding');
      expect(text).toContain('`device: f64Device()`');
      // It is not repeated.
      await gradientOf(single.simulation);
      expect(single.onWarning).toHaveBeenCalledTimes(1);
      const double = await runFrom(start, f64);
      slopes.push(await gradientOf(double.simulation));
      expect(slopes.at(-1)).toBe(exactly(start).slope);
      expect(double.onWarning).not.toHaveBeenCalled();
      single.simulation.dispose();
      double.simulation.dispose();
    }
    expect(gradients[0]).toBe(gradients[1]);
    expect(slopes[0]).toBe(-slopes[1]);
  });

  it('is not reported away from kinks, however much it grows, and leaves the run and its gradient as they were', async () => {
    const { simulation, onWarning } = await runFrom(0.3 * TO_KINK, cpu);
    const forward = vi.spyOn(simulation, 'forward');
    const gradient = await gradientOf(simulation);
    expect(gradient).toBe(exactly(Math.fround(0.3 * TO_KINK)).slope);
    // The run, three perturbed ones, and the run again.
    expect(forward).toHaveBeenCalledTimes(5);
    expect(await simulation.gradient('motes.x')).toEqual(Float64Array.of(gradient));
    expect((await simulation.read('motes.x'))[0]).toBeCloseTo(exactly(Math.fround(0.3 * TO_KINK)).value, 3);
    expect(onWarning).not.toHaveBeenCalled();
    simulation.dispose();
  });

  it('is looked for in one gradient of 200, and never in one that grows little or was followed by other inputs', async () => {
    const { simulation, onWarning } = await runFrom(TO_KINK, cpu);
    const forward = vi.spyOn(simulation, 'forward');
    simulation.set('motes.x', [0.3 * TO_KINK]);
    for (let k = 0; k < 201; k++) await gradientOf(simulation);
    expect(forward).toHaveBeenCalledTimes(201 + 2 * 4);
    const outdated = await runFrom(TO_KINK, cpu);
    const again = vi.spyOn(outdated.simulation, 'forward');
    outdated.simulation.forward();
    outdated.simulation.backward({ 'motes.x': [1] });
    outdated.simulation.set('motes.x', [0.1]);
    await outdated.simulation.gradient('motes.x');
    expect(again).toHaveBeenCalledTimes(1);
    const short = await runFrom(0.5, cpu, 5);
    await gradientOf(short.simulation);
    expect(short.onWarning).not.toHaveBeenCalled();
    for (const one of [onWarning, outdated.onWarning]) expect(one).not.toHaveBeenCalled();
    for (const one of [simulation, outdated.simulation, short.simulation]) one.dispose();
  });
});

describeWithAdapter('a gradient on the device webgpu whose motion comes within rounding of a kink', () => {
  let device: Device;
  beforeAll(async () => {
    device = await webgpuDevice({ allowSoftware: true });
  });
  afterAll(() => device.dispose());

  it('is reported, once', async () => {
    const { simulation, onWarning } = await runFrom(TO_KINK, device);
    await gradientOf(simulation);
    await gradientOf(simulation);
    expect(onWarning).toHaveBeenCalledTimes(1);
    expect(onWarning.mock.calls[0][0]).toContain(
      'The gradient by motes.x is not to be trusted: it changes by 2 times its largest component',
    );
    simulation.dispose();
  });

  it('is compared where it is away from kinks too, and the run and its gradient stay as they were', async () => {
    const { simulation, onWarning } = await runFrom(0.3 * TO_KINK, device);
    const forward = vi.spyOn(simulation, 'forward');
    const gradient = await gradientOf(simulation);
    expect(gradient).toBe(exactly(Math.fround(0.3 * TO_KINK)).slope);
    expect(forward).toHaveBeenCalledTimes(5);
    expect(await simulation.gradient('motes.x')).toEqual(Float64Array.of(gradient));
    expect((await simulation.read('motes.x'))[0]).toBeCloseTo(exactly(Math.fround(0.3 * TO_KINK)).value, 3);
    expect(onWarning).not.toHaveBeenCalled();
    simulation.dispose();
  });

  it('neither changes by later runs that begin before it arrives, nor changes them', async () => {
    const [early, late] = [0.3 * TO_KINK, 0.6 * TO_KINK];
    const { simulation, onWarning } = await runFrom(early, device);
    simulation.forward();
    simulation.backward({ 'motes.x': [1] });
    const first = simulation.gradient('motes.x');
    simulation.set('motes.x', [late]);
    simulation.forward();
    simulation.backward({ 'motes.x': [1] });
    const second = simulation.gradient('motes.x');
    expect((await first)[0]).toBe(exactly(Math.fround(early)).slope);
    expect((await second)[0]).toBe(exactly(Math.fround(late)).slope);
    expect((await simulation.read('motes.x'))[0]).toBeCloseTo(exactly(Math.fround(late)).value, 3);
    expect(onWarning).not.toHaveBeenCalled();
    simulation.dispose();
  });
});
