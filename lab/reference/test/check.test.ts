import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuDevice, type Device, f64Device, selectDevice } from '@gradsim/core';
import { describe, expect, it } from 'vitest';
import { missingAdapter } from '../../../packages/kernel/test/webgpu-adapter.ts';
import { drawn } from '../../../scripts/vitest/draws.ts';
import type { CheckResult } from '../src/errors.ts';
import { readReferenceCase } from '../src/read.ts';
import { fallingCase, halfCovered } from './fixtures/cases.ts';
import { referenceFolder, write } from './support.ts';

const reference = referenceFolder();
const casesOf = (kind: string): string[] =>
  reference
    ? readdirSync(reference)
        .filter((name) => name.startsWith(kind) && name.endsWith('.json'))
        .map((name) => join(reference, name))
    : [];

/** Returns the errors of a case that is supported. */
async function check(file: string, device: Device): Promise<CheckResult> {
  const read = await readReferenceCase(file);
  if ('unsupported' in read) throw new Error(`${file}: ${read.unsupported}`);
  return read.check(device);
}

/** Reason why WebGPU cannot be tested here; null where it can. */
describe.skipIf(!reference)('the reference cases', () => {
  // The first substep of a touch goes by its depth over what was moved, and many of a sheet's touches begin and end: the
  // rounding of positions counts for more there.
  it.each([
    ['rigid-box', 1e-4],
    ['spring-chain', 1e-4],
    ['pendulum', 1e-4],
    ['double-pendulum', 1e-4],
    ['smoke', 1e-4],
    ['soft-block', 1e-4],
    ['cloth-membrane', 1e-4],
    ['cloth-air', 1e-4],
    ['cloth-sphere', 3e-4],
  ])('%s: states, loss and gradients agree, in doubles and on cpu', async (kind, single) => {
    for (const [device, state, gradient] of [
      [f64Device(), 1e-9, 1e-9],
      [cpuDevice(), single, 1e-3],
    ] as const) {
      for (const file of casesOf(kind)) {
        const errors = await check(file, device);
        expect(Math.max(errors.stateError!, errors.lossError)).toBeLessThan(state);
        expect(errors.gradientError).toBeLessThan(gradient);
      }
      device.dispose();
    }
  });

  it.each(['implicit-springs', 'implicit-block'])('%s: states and gradients in doubles and on cpu', async (kind) => {
    for (const [device, state, gradient] of [
      [f64Device(), 1e-9, 1e-9],
      [cpuDevice(), 1e-3, 1e-2],
    ] as const) {
      for (const file of casesOf(kind)) {
        const errors = await check(file, device);
        expect(Math.max(errors.stateError!, errors.lossError)).toBeLessThan(state);
        expect(errors.worstParameter.error).toBeLessThan(gradient);
      }
      device.dispose();
    }
  });

  it('soft rasters: pictures and gradients agree, in doubles and on cpu', async () => {
    for (const [device, image, gradient, differences] of [
      [f64Device(), 1e-9, 1e-9, 1e-7],
      [cpuDevice(), 1e-4, 1e-3, 1e-3],
    ] as const) {
      for (const file of casesOf('soft-raster')) {
        const errors = await check(file, device);
        expect(errors.imageError).toBeLessThan(image);
        expect(errors.gradientError).toBeLessThan(gradient);
        expect(errors.worstParameter.error).toBeLessThan(gradient);
        expect(errors.alphaGradientError).toBeLessThan(gradient);
        expect(errors.finiteDifferenceError).toBeLessThan(differences);
      }
      device.dispose();
    }
  });

  it.each(['colors', 'texture', 'lambert', 'phong', 'sh'])(
    'the interpolation renderer, %s: pictures, loss and gradients agree, in doubles and on cpu',
    async (kind) => {
      for (const [device, image, gradient] of [
        [f64Device(), 1e-9, 1e-9],
        [cpuDevice(), 1e-4, 1e-3],
      ] as const) {
        for (const file of casesOf(`dibr-${kind}`)) {
          const errors = await check(file, device);
          expect(errors.imageError).toBeLessThan(image);
          expect(errors.lossError).toBeLessThan(image);
          expect(errors.gradientError).toBeLessThan(gradient);
          expect(errors.worstParameter.error).toBeLessThan(gradient);
        }
        device.dispose();
      }
    },
  );

  it.skipIf(missingAdapter !== null)('the interpolation renderer: pictures and gradients on webgpu', async () => {
    const device = await selectDevice('webgpu');
    for (const file of drawn(casesOf('dibr-'), 1)) {
      const errors = await check(file, device);
      expect(errors.imageError).toBeLessThan(1e-4);
      expect(errors.gradientError).toBeLessThan(1e-3);
      expect(errors.worstParameter.error).toBeLessThan(1e-3);
    }
    device.dispose();
  });

  it('are all read, and those that name an integrator can be checked', async () => {
    for (const file of casesOf('')) {
      const read = await readReferenceCase(file);
      if (JSON.parse(readFileSync(file, 'utf8')).integrator)
        expect(read).toMatchObject({ check: expect.any(Function) });
    }
  });
});

describe('the check of a case', () => {
  it.each([
    ['a fall', fallingCase()],
    ['a wide picture', halfCovered(12, 5)],
    ['a high picture', halfCovered(6, 11)],
  ])('finds errors below 1e-12 in doubles and 1e-5 on cpu for %s', async (_, content) => {
    const file = write(content);
    for (const [device, least] of [
      [f64Device(), 1e-12],
      [cpuDevice(), 1e-5],
    ] as const) {
      const { lossError, stateError, imageError, gradientError, worstParameter } = await check(file, device);
      expect(lossError).toBeLessThan(least);
      expect(stateError ?? imageError).toBeLessThan(least);
      expect(gradientError).toBeLessThan(least);
      expect(worstParameter.error).toBeLessThan(least);
      device.dispose();
    }
  });

  it('shows as an error a changed derivative, pixel, finite difference or alpha derivative in the file', async () => {
    const device = f64Device();
    const picture = halfCovered(12, 5);
    const { gradient, rgba } = picture.expected;
    const errorOf = async (error: keyof CheckResult, changed: object): Promise<number> => {
      const file = write({ ...picture, expected: { ...picture.expected, ...changed } });
      return (await check(file, device))[error] as number;
    };
    for (const changed of [
      { ndc_vertices: [...gradient.ndc_vertices.slice(0, 2), [0, 1, 0]] },
      { face_colors: [gradient.face_colors[0].with(2, 9)] },
      { background: gradient.background.with(1, 9) },
    ])
      expect(await errorOf('gradientError', { gradient: { ...gradient, ...changed } })).toBeGreaterThan(0.05);
    const blue = rgba[2].with(4, rgba[2][4].with(11, 1.4));
    expect(await errorOf('imageError', { rgba: rgba.with(2, blue) })).toBeGreaterThan(0.5);
    const finite_differences = [{ index: 8, derivative: 0.5 }];
    expect(await errorOf('finiteDifferenceError', { finite_differences })).toBeCloseTo(1);
    const alpha_gradient = [0, 1, 2].map((k) => [0, 0, k]);
    expect(await errorOf('alphaGradientError', { alpha_gradient })).toBeCloseTo(1);
  });

  it('refuses results that are not finite', async () => {
    const fast = fallingCase();
    fast.weights[1] = [1e308, 1e308, 1e308];
    fast.parameters.v0[1] = [1e38, 1e38, 1e38];
    await expect(check(write(fast), f64Device())).rejects.toThrowCode({
      code: 'reference/not-finite',
      values: ['lossError'],
    });
  });
});
