// Ten thousand unknowns: the velocity of every particle of a sheet, from its film, first from a part of it. What an
// iteration takes against one run forward and back (measured in turns, so that a busy machine slows both alike), what it
// holds, and how near it comes. `--method l-bfgs`, `--iterations` of each part, `--size` of the pictures, `--frames`,
// `--budget` bytes for the run's history.

import { median } from '@gradsim/base';
import { createSimulation } from '@gradsim/core';
import { filmModel } from '@gradsim/film';
import type { Method } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { Particle } from '@gradsim/particles';
import { Pixel } from '@gradsim/render';
import { benchOptions, least, print } from './support/options.ts';
import { filmedSheet, smoothOverSheet, velocityErrors } from './unknowns/sheet.ts';

const options = await benchOptions(['method', 'iterations', 'size', 'frames', 'budget', 'runs', 'seed']);
const { device } = options;
const method = options.text('method', 'adam') as Method;
const iterations = options.number('iterations', 100);
const memory = options.number('budget', 256e6);
const runs = options.number('runs', 25);
const size = options.number('size', 128);
const sheet = filmedSheet(options.number('seed', 1), size, options.number('frames', 9));
const { model, timeline, velocity } = sheet;

/** Resident memory of this process, MB, including memory that it has freed but not returned. */
const residentMB = (): number => process.memoryUsage().rss / 1e6;

const film = await filmModel(model, timeline, { device, hasAlpha: false });

const before = residentMB();
const arrays = [{ name: 'velocity', field: Particle.velocity, initial: 0, scale: 1, truth: velocity }];
const losses = [smoothOverSheet(sheet, 2e-6)];
const problem = { model, ...timeline, arrays, observations: [film.observation], losses };

// Iterations, and between them runs of the same simulation by themselves.
const alone = await createSimulation(model, {
  device,
  ...timeline,
  memory,
  parameters: [Particle.velocity],
  record: [Pixel.rgba],
});
const seeds = { [Pixel.rgba.key]: film.rgba.map((value, k) => (value - (k % 7) / 7) / film.rgba.length) };
const runMs: number[] = [];
const iterationMs: number[] = [];
let began = performance.now();
let peakMB = 0;
/** Number of iterations on the whole film, as opposed to a shorter horizon. */
let wholes = 0;
const found = await estimate(
  {
    ...problem,
    options: { search: { method, iterations, horizons: [0.4, 1], learningRate: 0.03, decay: 0.985 }, memory },
  },
  {
    device,
    onIteration: async ({ horizon }) => {
      if (horizon === 1 && wholes++ > 1 && runMs.length < runs) {
        iterationMs.push(performance.now() - began);
        const start = performance.now();
        alone.forward();
        alone.backward(seeds);
        await alone.finished();
        runMs.push(performance.now() - start);
      }
      peakMB = Math.max(peakMB, residentMB());
      began = performance.now();
    },
  },
);
const arenaMB = alone.memoryUse('f32').arena / 1e6;
const paired = runMs.map((time, k) => iterationMs[k] / time);
const { history } = found;
print({
  bench: 'unknowns',
  device: device.kind,
  unknowns: velocity.length,
  particles: velocity.length / 3,
  pixels: size * size,
  frames: timeline.frames,
  substeps: (timeline.frames - 1) * timeline.substeps,
  method,
  iterations: history.length - 1,
  iterationOverRun: median(paired),
  iterationMs: median(iterationMs),
  runMs: median(runMs),
  leastIterationMs: least(iterationMs),
  leastRunMs: least(runMs),
  budgetMB: memory / 1e6,
  arenaMB,
  processMB: { before, peak: peakMB },
  loss: history.filter(({ iteration }) => iteration % 25 === 0).map(({ loss }) => loss),
  lastLoss: found.loss,
  unmoved: found.unmoved.map(({ values }) => values),
  ...velocityErrors(sheet, found.arrays.velocity.estimate),
  parts: found.parts,
  stopped: found.stopped,
  seconds: found.seconds.run,
});
alone.dispose();
device.dispose();
