import { cpuDevice, f32, f64Device, kernel, Model } from '@gradsim/core';
import { checkDevices, gradientNoise } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';

/**
 * Builds a model of the logistic map: neighbouring trajectories separate by a factor of two per substep, and so
 * derivatives grow.
 */
function chaotic(): Model {
  const model = new Model();
  model.addDomain('seeds', 4);
  model.addField('seeds', 'x', f32, { values: [0.1234, 0.31, 0.577, 0.83] });
  const map = kernel('map', { domain: 'seeds', reads: { x: f32 }, writes: { x: f32 } }, ({ x }) => ({
    x: x.mul(x.neg().add(1)).mul(3.99),
  }));
  model.addPass('integrate', map);
  return model;
}
const over = (substeps: number) => ({
  frames: 2,
  frameRate: 1,
  substeps,
  parameters: ['seeds.x'],
  outputs: ['seeds.x'],
  seed: 7,
});

describe('gradientNoise', () => {
  it('is below 1e-4 after 4 substeps of a chaotic map and above 0.1 after 40, on cpu', async () => {
    const device = cpuDevice();
    const few = await gradientNoise(chaotic(), { ...over(4), device });
    expect(few.noise).toBeLessThan(1e-4);
    await checkDevices(chaotic(), { ...over(4), devices: [device] });
    const many = await gradientNoise(chaotic(), { ...over(40), device });
    expect(many.noise).toBeGreaterThan(0.1);
    expect(many.parameters).toEqual({ 'seeds.x': many.noise });
    await expect(checkDevices(chaotic(), { ...over(40), devices: [device] })).rejects.toThrowCode({
      code: 'kernel/comparison-failed',
      values: ['seeds.x'],
    });
    // In doubles the same run has digits left.
    const exact = await gradientNoise(chaotic(), { ...over(40), device: f64Device() });
    expect(exact.noise).toBeLessThan(1e-2);
    device.dispose();
  });

  it('is the same for the same seed', async () => {
    const options = { ...over(20), device: cpuDevice() };
    expect(await gradientNoise(chaotic(), options)).toEqual(await gradientNoise(chaotic(), options));
  });

  it('is refused without outputs or draws', async () => {
    const options = { ...over(4), device: f64Device() };
    await expect(gradientNoise(chaotic(), { ...options, outputs: [] })).rejects.toThrowCode('core/nothing-to-check');
    await expect(gradientNoise(chaotic(), { ...options, draws: 0 })).rejects.toThrowCode({
      code: 'core/option-out-of-range',
      field: 'draws',
      values: [0],
    });
  });
});
