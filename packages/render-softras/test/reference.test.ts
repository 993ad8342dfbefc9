import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cpuDevice, f64Device, selectDevice } from '@gradsim/core';
import { describe, expect, it } from 'vitest';
import type { SoftRasterCase } from '../src/index.ts';
import { softRasterReference } from '../src/index.ts';

const folder = new URL('../../../../shared/reference/', import.meta.url);
const files = existsSync(folder)
  ? readdirSync(folder).filter((file) => /^soft-raster-.*\.json$/.test(file))
  : [];
if (files.length === 0) {
  console.log(
    'Skipped: no soft-raster-*.json in ../shared/reference, so nothing is compared with another program.',
  );
}

const read = (file: string): SoftRasterCase => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));

/** Why WebGPU cannot be tested here; null where it can. */
const missingAdapter = await selectDevice('webgpu').then(
  (device) => {
    device.dispose();
    return null;
  },
  (error: Error) => error.message,
);
if (missingAdapter)
  console.warn(`SKIPPED, NOT TESTED: the rasteriser on the device webgpu. ${missingAdapter}`);

describe.skipIf(files.length === 0)('cases made by another program', () => {
  it.each(files)('%s, in doubles', async (file) => {
    const errors = await softRasterReference(read(file), f64Device());
    expect(errors.imageError).toBeLessThan(1e-7);
    expect(errors.lossError).toBeLessThan(1e-8);
    expect(errors.alphaGradientError).toBeLessThan(1e-6);
    expect(errors.finiteDifferenceError).toBeLessThan(1e-4);
  });

  it.each(files)('%s, in single precision', async (file) => {
    const errors = await softRasterReference(read(file), cpuDevice());
    console.log(file, JSON.stringify(errors));
    expect(errors.imageError).toBeLessThan(1e-3);
    expect(errors.gradientError).toBeLessThan(1e-3);
  });

  it.skipIf(missingAdapter !== null).each(files)('%s, on webgpu', async (file) => {
    const device = await selectDevice('webgpu');
    const errors = await softRasterReference(read(file), device);
    device.dispose();
    console.log(file, device.description, JSON.stringify(errors));
    expect(errors.imageError).toBeLessThan(1e-3);
    expect(errors.gradientError).toBeLessThan(1e-3);
  });
});
