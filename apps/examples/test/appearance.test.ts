import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuDevice } from '@gradsim/core';
import { box, icosphere, writeMesh } from '@gradsim/mesh';
import type { Estimate, Experiment, Stage } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { layoutOf } from '@gradsim/render';
import { createFrames, writeFrames } from '@gradsim/video';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textureError } from '../src/appearance/textured.ts';
import { shapeErrors } from '../src/appearance/unknown-shape.ts';
import camera from '../src/camera.ts';
import light from '../src/light.ts';
import shape from '../src/shape.ts';
import shapeAndMass from '../src/shape-and-mass.ts';
import texture from '../src/texture.ts';

// Seconds on an idle machine.
const device = cpuDevice();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gradsim-appearance-'));
});
afterAll(async () => {
  device.dispose();
  await rm(folder, { recursive: true });
});

type Settings = Readonly<Record<string, string>>;
async function stageOf(experiment: Experiment, settings: Settings, video?: string): Promise<Stage> {
  const [stage] = await experiment.stages({ device, settings, video, log: () => {} });
  return stage;
}
async function found(experiment: Experiment, settings: Settings): Promise<{ stage: Stage; result: Estimate }> {
  const stage = await stageOf(experiment, settings);
  return { stage, result: await estimate(stage.problem, { device }) };
}

describe.each(['dibr', 'softras'])('estimation from pictures by %s finds', (renderer) => {
  it('the texels of a known shape to 0.03 rms', async () => {
    const small = { size: '32', views: '8', texels: '8', iterations: '30' };
    const { stage, result } = await found(texture, { renderer, ...small });
    const { rms, seen } = textureError(result, stage.problem.arrays![0].truth!);
    expect(seen).toBe(1);
    // Grey, where it starts, is off by 0.28.
    expect(rms).toBeLessThan(0.03);
    expect((await stage.notes!(result))[0]).toContain('100.0 % are seen');
  });

  it.each(['shape', 'both'])('the vertices of a banana, starting from a ball: setting unknown=%s', async (unknown) => {
    const small = { size: '32', views: '6', subdivisions: '1', iterations: '150' };
    const { stage, result } = await found(shape, { renderer, unknown, ...small });
    const [observation] = stage.problem.observations!;
    const ball = await estimate(
      { ...stage.problem, options: { search: { method: 'adam', iterations: 0 } } },
      { device },
    );
    expect(shapeErrors(ball, observation).intersectionOverUnion).toBeLessThan(0.65);
    // 42 vertices cannot follow it closer.
    expect(shapeErrors(result, observation).intersectionOverUnion).toBeGreaterThan(0.93);
    expect((await stage.notes!(result)).join()).toContain('from the true surface');
    expect(stage.strip).toBeDefined();
  });

  it('shape coefficients and mass together from one video', async () => {
    const { result } = await found(shapeAndMass, { renderer, size: '24', functions: '3' });
    expect(Math.abs(result.parameters.mass.estimate / 1.7 - 1)).toBeLessThan(1e-4);
    const { shape: amounts } = result.arrays;
    [0.09, -0.01, 0.02, 0.01, -0.06, 0.03].forEach((truth, m) =>
      expect(Math.abs(amounts.estimate[m] - truth)).toBeLessThan(1e-4),
    );
  });

  it('pose, field of view and distortion of a camera to 0.001', async () => {
    const { result } = await found(camera, { renderer, size: '32' });
    for (const [name, { estimate: value, truth }] of Object.entries(result.parameters))
      expect(Math.abs(value - truth!), name).toBeLessThan(1e-3);
  });

  it.each(['lambert', 'phong', 'harmonics'])('the light to 1e-3, lighting model %s', async (kind) => {
    const { result } = await found(light, { renderer, size: '32', light: kind });
    for (const [name, { estimate: value, truth }] of Object.entries(result.parameters))
      expect(Math.abs(value / truth! - 1), name).toBeLessThan(1e-3);
    const { radiance } = result.arrays;
    radiance?.estimate.forEach((value, k) => expect(Math.abs(value - radiance.truth![k])).toBeLessThan(1e-3));
  });
});

describe('the experiments on appearance refuse', () => {
  it('a mesh without texture coordinates, unless a projection is set', async () => {
    const plain = join(folder, 'plain.obj');
    await writeMesh(plain, icosphere({ subdivisions: 1 }));
    await expect(stageOf(texture, { mesh: plain })).rejects.toThrow(
      /plain\.obj has no texture coordinates, .* or --set uvs=sphere/,
    );
    const small = { mesh: plain, uvs: 'sphere', size: '16', views: '2', texels: '4' };
    expect((await stageOf(texture, small)).problem.model.domain('texels').size).toBe(16);
  });

  it('texels as unknowns of a scene that has no texture', async () => {
    const { problem } = await stageOf(shape, { size: '16', views: '2', subdivisions: '1' });
    const arrays = [{ name: 'texels', field: 'texels.color', initial: 0.5 }];
    await expect(estimate({ ...problem, arrays }, { device })).rejects.toThrowCode({
      code: 'core/unknown-field',
      field: 'texels.color',
    });
  });

  it('pictures of another size than the setting, or fewer than views', async () => {
    const pictures = (width: number, count: number) => {
      const film = createFrames({ width, height: 16, channels: 4, frameRate: 1 }, count);
      film.data.fill(0.5);
      return film;
    };
    const settings = { size: '16', views: '3', subdivisions: '1' };
    const [wide, few, right] = ['wide', 'few', 'right'].map((name) => join(folder, name));
    await writeFrames(join(wide, '%03d.png'), pictures(24, 3));
    await writeFrames(join(few, '%03d.png'), pictures(16, 2));
    await writeFrames(join(right, '%03d.png'), pictures(16, 3));
    await expect(stageOf(shape, settings, wide)).rejects.toThrowCode({ code: 'video/other-shape', values: [24, 16] });
    await expect(stageOf(shape, settings, few)).rejects.toThrowCode({ code: 'video/too-few-frames', values: [2, 3] });
    const { problem } = await stageOf(shape, settings, right);
    expect(layoutOf(problem.model).cameras).toBe(3);
    expect(problem.observations![0].weights).toEqual([1, 1, 1, 1]);
    expect(problem.observations![0].target[0]).toBeCloseTo(0.5, 2);
  });

  it('as initial values a light direction of length 0, a field of view of 4 rad and a camera distance of 0', async () => {
    const { problem } = await stageOf(light, { size: '16' });
    const dark = { name: 'light', field: 'lights.direction', initial: 0 };
    await expect(estimate({ ...problem, parameters: [], arrays: [dark] }, { device })).rejects.toThrowCode({
      code: 'core/value-out-of-range',
      field: 'lights.direction',
      element: 'the light',
      values: ['(0, 0, 0)'],
    });
    const wide = { name: 'angle', field: 'cameras.fieldOfView', initial: 4 };
    await expect(estimate({ ...problem, parameters: [wide] }, { device })).rejects.toThrowCode({
      code: 'core/value-out-of-range',
      field: 'cameras.fieldOfView',
      values: [4],
    });
    const near = { name: 'distance', field: 'cameras.distance', initial: 0 };
    await expect(estimate({ ...problem, parameters: [near] }, { device })).rejects.toThrowCode({
      code: 'optim/start-outside',
      values: ['cameras.distance', 'distance'],
    });
  });

  it('unknown settings, sizes that are not numbers, and unknown choices', async () => {
    for (const experiment of [texture, shape, shapeAndMass, camera, light]) {
      await expect(stageOf(experiment, { siz: '16' })).rejects.toThrowCode({
        code: 'optim/unknown-setting',
        values: [experiment.name, '"siz"'],
      });
      await expect(stageOf(experiment, { size: 'big' })).rejects.toThrowCode({
        code: 'optim/setting-value',
        values: ['"big"'],
      });
    }
    await expect(stageOf(light, { light: 'lamp' })).rejects.toThrowCode({
      code: 'optim/setting-value',
      values: ['lambert, phong, harmonics'],
    });
    await expect(stageOf(shape, { unknown: 'all' })).rejects.toThrowCode({
      code: 'optim/setting-value',
      values: ['shape, both'],
    });
    await writeMesh(join(folder, 'box.obj'), box({ size: [1, 2, 3] }));
    await expect(stageOf(texture, { mesh: join(folder, 'box.obj'), uvs: 'flat' })).rejects.toThrow('uvs is "flat"');
  });
});
