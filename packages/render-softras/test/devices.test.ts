import type { Device } from '@gradsim/core';
import { cpuDevice, createSimulation, f64Device, selectDevice } from '@gradsim/core';
import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../scripts/vitest/draws.ts';
import { missingAdapter } from '../../kernel/test/webgpu-adapter.ts';
import { softRasScene } from '../src/index.ts';
import { randomTriangles } from './scenes.ts';

// Pictures composed by area, and their derivatives, in single precision against those in doubles.
const seed = 6107;
console.log(`weights from seed ${seed}`);
const PARAMETERS = ['viewVertices.ndc', 'faces.color', 'world.background'];

async function drawnOn(device: Device): Promise<Readonly<Record<string, Float64Array>>> {
  const { vertices, faces, faceColors: colors } = randomTriangles(3, 30);
  const options = { sigma: 1e-3, gamma: 1e-2, compositing: 'area' } as const;
  const { model } = softRasScene({ width: 40, height: 28 }, { vertices, faces, colors }, options);
  const run = { frames: 1, frameRate: 1, substeps: 1, record: ['pixels.rgba'], parameters: PARAMETERS };
  const simulation = await createSimulation(model, { device, ...run });
  simulation.forward();
  const picture = await simulation.readFrames('pixels.rgba');
  const random = randomNumbers(seed);
  simulation.backward({ 'pixels.rgba': picture.map(() => random() - 0.5) });
  const drawn: Record<string, Float64Array> = { picture };
  for (const key of PARAMETERS) drawn[key] = await simulation.gradient(key);
  simulation.dispose();
  return drawn;
}
const exact = await drawnOn(f64Device());

async function compare(device: Device): Promise<void> {
  const drawn = await drawnOn(device);
  device.dispose();
  for (const [key, values] of Object.entries(exact)) {
    const largest = Math.max(...values.map(Math.abs));
    expect(largest).toBeGreaterThan(0);
    const apart = Math.max(...values.map((value, k) => Math.abs(drawn[key][k] - value))) / largest;
    console.log(`${key}: ${apart.toExponential(1)}`);
    expect(apart, key).toBeLessThan(key === 'picture' ? 1e-4 : 1e-3);
  }
}

describe('compositing by area in single precision agrees with doubles', () => {
  it('on the CPU', () => compare(cpuDevice({ threads: 1 })));
  it.skipIf(missingAdapter !== null)('on webgpu', async () => compare(await selectDevice('webgpu')));
});
