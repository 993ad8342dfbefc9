import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Device } from '@gradsim/core';
import { cpuDevice, createSimulation, f64Device, selectDevice } from '@gradsim/core';
import { fromRows, toRows } from '@gradsim/render';
import { describe, expect, it } from 'vitest';
import { missingAdapter } from '../../kernel/test/webgpu-adapter.ts';
import { softRasScene } from '../src/index.ts';

/** Values of a picture, indexed [channel][row][column]. */
type Channels = number[][][];

interface Case {
  image_size: number;
  sigma: number;
  gamma: number;
  near: number;
  far: number;
  background: [number, number, number];
  ndc_vertices: number[][];
  faces: number[][];
  face_colors: number[][];
  weights: Channels;
  expected: {
    rgba: Channels;
    gradient: { ndc_vertices: number[][]; face_colors: number[][]; background: [number, number, number] };
  };
}

const folder = new URL('../../../../shared/reference/', import.meta.url);
const files = existsSync(folder) ? readdirSync(folder).filter((file) => /^soft-raster-.*\.json$/.test(file)) : [];
if (files.length === 0) {
  console.log('Skipped: no soft-raster-*.json in ../shared/reference, so nothing is compared with another program.');
}

/** Reason why WebGPU cannot be tested here; null if it can. */
/**
 * Largest error relative to the largest expected magnitude: of the picture (`image`), and of its derivatives
 * (`gradient`).
 */
async function errorsOf(file: string, device: Device): Promise<{ image: number; gradient: number }> {
  const content: Case = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
  const { image_size: size, sigma, gamma, near, far, expected } = content;
  const { model, layout } = softRasScene(
    { width: size, height: size },
    {
      vertices: content.ndc_vertices.flat(),
      faces: content.faces.flat(),
      colors: content.face_colors.flat(),
    },
    { sigma, gamma, near, far, backgroundColor: content.background },
  );
  const parameters = ['viewVertices.ndc', 'faces.color', 'world.background'];
  const simulation = await createSimulation(model, {
    device,
    frames: 1,
    frameRate: 1,
    substeps: 1,
    parameters,
    record: ['pixels.rgba'],
  });
  const rows = (channels: Channels): Float64Array => {
    const planes = channels.map((channel) => channel.flat());
    return Float64Array.from({ length: 4 * size * size }, (_, k) => planes[k % 4][Math.floor(k / 4)]);
  };
  simulation.forward();
  const image = toRows(layout, await simulation.readFrames('pixels.rgba'), 4);
  simulation.backward({ 'pixels.rgba': fromRows(layout, rows(content.weights), 4) });
  const { ndc_vertices, face_colors, background } = expected.gradient;
  const wanted = [ndc_vertices.flat(), face_colors.flat(), background];
  const errors: number[] = [];
  for (const [k, key] of parameters.entries()) errors.push(relativeError(await simulation.gradient(key), wanted[k]));
  simulation.dispose();
  return { image: relativeError(image, rows(expected.rgba)), gradient: Math.max(...errors) };
}

function relativeError(got: ArrayLike<number>, wanted: ArrayLike<number>): number {
  const largest = Math.max(...Array.from(wanted, Math.abs));
  return Math.max(...Array.from(wanted, (value, k) => Math.abs(got[k] - value))) / largest;
}

describe.skipIf(files.length === 0)('pictures and gradients agree with reference cases of another program', () => {
  it.each(files)('%s, in doubles, to 1e-9', async (file) => {
    const { image, gradient } = await errorsOf(file, f64Device());
    expect(image).toBeLessThan(1e-9);
    expect(gradient).toBeLessThan(1e-9);
  });

  it.each(files)('%s, in single precision, to 1e-4 and 1e-3', async (file) => {
    const { image, gradient } = await errorsOf(file, cpuDevice());
    expect(image).toBeLessThan(1e-4);
    expect(gradient).toBeLessThan(1e-3);
  });

  it.skipIf(missingAdapter !== null).each(files)('%s, on webgpu', async (file) => {
    const device = await selectDevice('webgpu');
    const { image, gradient } = await errorsOf(file, device);
    device.dispose();
    expect(image).toBeLessThan(1e-4);
    expect(gradient).toBeLessThan(1e-3);
  });
});
