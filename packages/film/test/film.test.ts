import { readFileSync } from 'node:fs';
import { buildModel, cpuDevice, createScene, createSimulation, type Model } from '@gradsim/core';
import { icosphere } from '@gradsim/mesh';
import { defineExperiment, type Experiment, estimate } from '@gradsim/optim';
import { LookAtCamera, layoutOf, render, toRows } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';
import { Body, rigid } from '@gradsim/rigid';
import { createFrames, encodeFrames, type Frames, fromLinear } from '@gradsim/video';
import { transformWithOxc } from 'vite';
import { expect, it } from 'vitest';
import { filmCamera, readFilm, startOfFlight } from '../src/index.ts';

const SIZE = { width: 64, height: 48 };
const CAMERA = { eye: [0, 0.8, 4], target: [0, 0.8, 0], fieldOfView: 0.6 };
const TRUTH = { position: [-0.9, 0.7, 0], velocity: [1.8, 2.4, 0] };
/** Edge softness (SoftRas sigma) of the film, dimensionless. */
const SHARP = 1e-6;
/** Edge softness (SoftRas sigma) of the pictures compared with the film, dimensionless. */
const SOFT = 1e-4;
const device = cpuDevice({ threads: 1 });

function thrown({ position, velocity }: typeof TRUTH, sigma: number, size = SIZE): Model {
  const scene = createScene([
    rigid(),
    render({ ...size, camera: LookAtCamera }),
    softRas({ drawings: ['silhouette'], sigma, near: 1, far: 10 }),
  ]);
  scene.add(Body, { mesh: icosphere({ radius: 0.3, subdivisions: 2 }), mass: 1, position, velocity });
  scene.add(LookAtCamera, CAMERA);
  return buildModel(scene);
}

const ground = (x: number): number => 0.4 + (0.3 * x) / SIZE.width;

/**
 * Background without the ball. The median over time would show the ball, which hides parts of it in half of so short a
 * film.
 */
function empty(): Frames {
  const picture = createFrames({ ...SIZE, channels: 3, frameRate: 20 }, 1);
  picture.data.forEach((_, i) => {
    picture.data[i] = ground(Math.floor(i / 3) % SIZE.width);
  });
  return fromLinear(picture, 'srgb');
}

/** Film of a model's pictures as GIF: red light over a grey gradient. */
async function filmed(model: Model, frames: number): Promise<Uint8Array> {
  const simulation = await createSimulation(model, {
    device,
    frames,
    frameRate: 20,
    substeps: 8,
    record: ['pixels.alpha'],
  });
  simulation.forward();
  const alpha = toRows(layoutOf(model), await simulation.readFrames('pixels.alpha'), 1);
  simulation.dispose();
  const film = createFrames({ ...SIZE, channels: 3, frameRate: 20 }, frames);
  film.data.forEach((_, i) => {
    const a = alpha[Math.floor(i / 3)];
    const behind = ground(Math.floor(i / 3) % SIZE.width);
    film.data[i] = (1 - a) * behind + a * [0.85, 0.2, 0.1][i % 3];
  });
  return encodeFrames(fromLinear(film, 'srgb'), 'gif');
}

it('the velocity of a filmed ball is found to 0.15 m/s from its track, to 0.03 m/s from pixels, and pictures match the film', async () => {
  const film = await readFilm(await filmed(thrown(TRUTH, SHARP), 10), {
    background: empty(),
  });
  const camera = await filmCamera(LookAtCamera, CAMERA, film.size);
  const start = startOfFlight(film.tracks[0], camera, { radius: 0.3 });
  expect(Math.abs(start.velocity[0] - TRUTH.velocity[0])).toBeLessThan(0.15);
  const model = thrown({ position: [0, 0.7, 0], velocity: [0, 0, 0] }, SOFT);
  const number = (name: string, field: string, component: number, initial: number) => ({
    name,
    field,
    component,
    initial,
    scale: 0.2,
  });
  const stage = film.stage(model, {
    name: 'throw',
    substeps: 8,
    parameters: [
      number('x', 'bodies.position', 0, start.position[0]),
      number('y', 'bodies.position', 1, start.position[1]),
      number('vx', 'bodies.velocity', 0, start.velocity[0]),
      number('vy', 'bodies.velocity', 1, start.velocity[1]),
    ],
    options: { search: { iterations: 15 } },
  });
  const found = await estimate(stage.problem, { device });
  expect(Math.abs(found.parameters.vx.estimate - TRUTH.velocity[0])).toBeLessThan(0.03);
  expect(Math.abs(found.parameters.vy.estimate - TRUTH.velocity[1])).toBeLessThan(0.03);
  // Two fifths of a pixel: sharp outlines have steps.
  expect(Math.abs(found.parameters.x.estimate - TRUTH.position[0])).toBeLessThan(0.02);
  const strip = await stage.strip!(found);
  expect([strip.width, strip.height, strip.frames.length]).toEqual([64, 48, 10]);
  const target = await Promise.all(strip.frames.map((_, k) => strip.target(k)));
  const shown = await Promise.all(strip.frames.map((_, k) => strip.estimate(k)));
  for (const picture of [...target, ...shown]) expect(picture).toHaveLength(64 * 48 * 3);
  const away = (others: readonly Float32Array[]): number =>
    others
      .flatMap((other, k) => Array.from(other, (value, p) => Math.abs(value - target[k][p])))
      .reduce((a, b) => a + b);
  // The estimate's picture, with softer outlines, is closer to its frame than the frame after it is.
  expect(away(shown.slice(0, 9))).toBeLessThan(away(target.slice(1)) / 2);
});

it('the experiment of the README finds the speed of a filmed ball to 0.02 m/s', async () => {
  const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, code] = /^```ts\n(.*?)^```$/ms.exec(page)!;
  const { code: javascript } = await transformWithOxc(code, 'README.ts');
  const body = javascript.replaceAll(/^import .*$/gm, '').replace('export default', 'return');
  const make = new Function('defineExperiment', 'readFilm', 'ballModel', 'parameters', body) as (
    ...given: unknown[]
  ) => Experiment;
  const start = { position: [-0.9, 0.7, 0], velocity: [0.8, 0.2, 0] };
  const parameters = [{ name: 'vx', field: 'bodies.velocity', component: 0, initial: 0.75, scale: 0.1, truth: 0.8 }];
  const experiment = make(defineExperiment, readFilm, (size: typeof SIZE) => thrown(start, SOFT, size), parameters);
  const video = await filmed(thrown(start, SHARP), 45);
  const context = { device, settings: {}, log: () => {}, video } as object as Parameters<Experiment['stages']>[0];
  const [{ problem }] = await experiment.stages(context);
  expect(problem).toMatchObject({ frames: 45, frameRate: 20, substeps: 40 });
  const { parameters: found } = await estimate({ ...problem, options: { search: { iterations: 8 } } }, { device });
  expect(Math.abs(found.vx.estimate - 0.8)).toBeLessThan(0.02);
});
