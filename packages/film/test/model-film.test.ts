import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildModel, cpuDevice, createScene, type Model } from '@gradsim/core';
import { icosphere } from '@gradsim/mesh';
import { estimate } from '@gradsim/optim';
import { OrbitCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';
import { Body, rigid } from '@gradsim/rigid';
import { writeFrames } from '@gradsim/video';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filmModel, type ModelFilm, readPictures } from '../src/index.ts';

// Not whole tiles, so that padding would show.
const SIZE = { width: 20, height: 12 };
const TIMELINE = { frames: 4, frameRate: 20, substeps: 4 };
const device = cpuDevice({ threads: 1 });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gradsim-model-film-'));
});
afterAll(async () => {
  device.dispose();
  await rm(folder, { recursive: true });
});

function thrown(speed: number, cameras = 1): Model {
  const scene = createScene([
    rigid(),
    render(SIZE),
    softRas({ sigma: 1e-3, compositing: 'coverage', near: 1, far: 9 }),
  ]);
  scene.add(Body, { mesh: icosphere({ radius: 0.4, subdivisions: 1 }), mass: 1, velocity: [speed, 1, 0] });
  for (let k = 0; k < cameras; k++) scene.add(OrbitCamera, { distance: 4, azimuth: k });
  return buildModel(scene);
}
const speed = { name: 'speed', field: Body.velocity, component: 0, initial: 0.5 };
/** Writes a film as PNGs, with or without alpha. */
async function written(film: ModelFilm, name: string, { opaque = false, frameRate = 20, depth = 16 as 8 | 16 } = {}) {
  const { width, height, target: of, frames } = film.strip({ predicted: { 'pixels.rgba': film.rgba } });
  const target = (await Promise.all(frames.map((_, k) => of(k)))).flatMap((picture) => Array.from(picture));
  const path = join(folder, name);
  const data = Float32Array.from({ length: (target.length / 3) * 4 }, (_, k) =>
    k % 4 < 3 ? target[Math.floor(k / 4) * 3 + (k % 4)] : opaque || k < 8 ? 1 : 0.5,
  );
  expect(frames).toHaveLength(target.length / (3 * width * height));
  await writeFrames(join(path, '%02d.png'), { width, height, channels: 4, frameRate, data }, { depth });
  return path;
}

describe('filmModel', () => {
  it('returns a film from which a stage with another model finds the true speed, and pictures that match', async () => {
    const film = await filmModel(thrown(1), TIMELINE, { device });
    const stage = film.stage(thrown(0.5), {
      name: 'throw',
      parameters: [speed],
      substeps: 8,
      notes: () => ['It flew.'],
    });
    expect(stage.problem).toMatchObject({ ...TIMELINE, substeps: 8, observations: [{ target: film.rgba }] });
    const found = await estimate(film.stage(thrown(0.5), { name: 'throw', parameters: [speed] }).problem, { device });
    expect(found.parameters.speed.estimate).toBeCloseTo(1, 4);
    const strip = await stage.strip!(found);
    expect(strip).toMatchObject({ ...SIZE, frames: [0, 1, 2, 3] });
    for (const k of strip.frames.keys()) {
      const [target, estimate] = [await strip.target(k), await strip.estimate(k)];
      expect(target).toHaveLength(20 * 12 * 3);
      target.forEach((value, p) => expect(estimate[p]).toBeCloseTo(value, 3));
    }
  });

  it('returns weight 0 for alpha with hasAlpha: false, and no weights by default', async () => {
    const film = await filmModel(thrown(1), TIMELINE, { device, hasAlpha: false });
    expect(film.observation.weights).toEqual([1, 1, 1, 0]);
    expect((await filmModel(thrown(1), TIMELINE, { device })).observation).not.toHaveProperty('weights');
  });

  it('returns a film that in8Bits() rounds to multiples of 1 / 255, and map() changes by a function of value and channel', async () => {
    const film = await filmModel(thrown(1), TIMELINE, { device });
    const coarse = await film.in8Bits();
    coarse.rgba.forEach((value, k) => {
      expect(value).toBeCloseTo(Math.round(value * 255) / 255, 6);
      expect(Math.abs(value - film.rgba[k])).toBeLessThan(0.5 / 255 + 1e-6);
    });
    const red = film.map((value, channel) => (channel === 0 ? 1 - value : value));
    expect(red.rgba[4]).toBe(1 - film.rgba[4]);
    expect(red.rgba[5]).toBe(film.rgba[5]);
    expect(red.timeline).toEqual(TIMELINE);
  });
});

describe('readPictures', () => {
  it('returns the colours that were written, and weight 0 for alpha if every pixel is opaque', async () => {
    const model = thrown(1);
    const film = await filmModel(model, TIMELINE, { device });
    const opaque = await readPictures(await written(film, 'opaque', { opaque: true }), model, TIMELINE);
    expect(opaque.observation.weights).toEqual([1, 1, 1, 0]);
    opaque.rgba.forEach((value, k) => {
      if (k % 4 < 3) expect(value).toBeCloseTo(film.rgba[k], 4);
    });
    expect((await readPictures(await written(film, 'masked'), model, TIMELINE)).weights).toEqual([1, 1, 1, 1]);
  });

  it('reads one picture per camera for a timeline of one frame, and refuses fewer', async () => {
    const model = thrown(1, 3);
    const still = { frames: 1, frameRate: 1, substeps: 1 };
    const film = await filmModel(model, still, { device });
    const path = await written(film, 'still', { opaque: true });
    const pictures = await readPictures(path, model, still);
    expect(pictures.strip({ predicted: { 'pixels.rgba': film.rgba } }).frames).toEqual([0, 1, 2]);
    await expect(readPictures(path, thrown(1, 4), still)).rejects.toThrowCode({
      code: 'video/too-few-frames',
      values: [3, 4],
    });
  });

  it('refuses another picture size and too few pictures, and logs how many of too many it uses', async () => {
    const model = thrown(1);
    const path = await written(await filmModel(model, TIMELINE, { device }), 'film', { opaque: true });
    const said: string[] = [];
    const log = (line: string): number => said.push(line);
    await readPictures(path, model, { ...TIMELINE, frames: 3 }, { log });
    expect(said).toEqual([`Of ${path} the first 3 of 4 frames are used.`]);
    await expect(readPictures(path, model, { ...TIMELINE, frames: 5 })).rejects.toThrowCode({
      code: 'video/too-few-frames',
      values: [4, 5],
    });
    const small = createScene([rigid(), render({ width: 8, height: 8 }), softRas()]);
    small.add(Body, { mesh: icosphere({ radius: 0.4 }), mass: 1 });
    small.add(OrbitCamera, { distance: 4 });
    await expect(readPictures(path, buildModel(small), TIMELINE)).rejects.toThrowCode({
      code: 'video/other-shape',
      values: [20, 12, 8],
    });
  });
});
