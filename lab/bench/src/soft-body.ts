// A soft block of tetrahedra (or with `--kind quadratic` of quadratic ones, with `--kind cloth` a sheet of triangles) that falls onto the ground, 1/1920 s a
// substep: substeps a second forward and back, pictures of 64 x 64 a second, memory; and the same block in scalar C++.
// `--sizes 100,1000` elements, `--threads 1,2`, `--runs`, `--parts physics,render,yardstick`. A line for each size and
// number of threads, each from a process of its own, so that its peak of memory is its own.

import { spawnSync } from 'node:child_process';
import { median } from '@gradsim/base';
import type { Simulation } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { stageRunner } from '@gradsim/core/testing';
import type { Falling } from './soft-body/scene.ts';
import { fallingBlock, fallingSheet, positionSeeds, SUBSTEPS } from './soft-body/scene.ts';
import { relativeDifference, Yardstick } from './soft-body/yardstick.ts';
import { benchOptions, least, print, timesMs } from './support/options.ts';

const options = await benchOptions(['kind', 'sizes', 'runs', 'parts']);
const { device } = options;
const list = (name: string, otherwise: string): string[] => options.text(name, otherwise).split(',');
const kind = options.text('kind', 'tets');
const sizes = list('sizes', '100,200,400,1000,2000,5000,10000').map(Number);
const threads = list('threads', '1').map(Number);
const runs = options.number('runs', 40);
const parts = list('parts', 'physics,render,yardstick');
if (kind !== 'tets' && kind !== 'quadratic' && kind !== 'cloth')
  throw new Error(`--kind is tets, quadratic or cloth, not ${kind}.`);

/**
 * Approximate work of a timed run, elements times substeps: so short that at least some of many runs are undisturbed by
 * other programs.
 */
const RUN = 500_000;
/** Maximum number of frames of a timed run, not counting the initial one. */
const MAX_FRAMES = 31;
/** Memory budget of the tape, bytes. */
const MEMORY = 1e9;

function inProcessOfItsOwn(size: number, count: number): void {
  const given = process.argv.slice(2);
  // What comes last counts.
  const own = ['--sizes', String(size), '--threads', String(count)];
  const { status } = spawnSync(process.execPath, [...process.execArgv, process.argv[1], ...given, ...own], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = status ?? 1;
}

async function measure(size: number, count: number): Promise<void> {
  const line: Record<string, unknown> = {};
  const make = (elements: number, pictures = false): Falling =>
    kind === 'cloth'
      ? fallingSheet(elements, pictures)
      : fallingBlock(elements, pictures, kind === 'quadratic' ? 'quadratic' : 'linear');
  if (parts.includes('physics')) Object.assign(line, await physics(make(size), size));
  if (parts.includes('render')) Object.assign(line, await pictures(make(size, true)));
  const peakMB = process.resourceUsage().maxRSS / 1e3;
  print({ bench: 'soft-body', device: device.kind, kind, threads: count, ...line, peakMB, runs });
}

const framesFor = (elements: number): number => 1 + Math.min(MAX_FRAMES, Math.ceil(RUN / elements / SUBSTEPS));

const rates = (name: string, substeps: number, times: readonly number[]): Record<string, number> => ({
  [`${name}Hz`]: (substeps / median(times)) * 1000,
  [`${name}MostHz`]: (substeps / least(times)) * 1000,
});

async function physics(falling: Falling, size: number): Promise<Record<string, unknown>> {
  const frames = framesFor(falling.elements);
  const substeps = (frames - 1) * SUBSTEPS;
  const settings = { device, ...falling.settings, frames, substeps: SUBSTEPS };
  const simulation = await createSimulation(falling.model, { ...settings, memory: MEMORY });
  const seeds = positionSeeds(falling.particles);
  const forward = await timesMs(runs, 2, () => {
    simulation.forward();
    return simulation.finished();
  });
  const backward = await timesMs(runs, 2, () => {
    simulation.backward({ 'particles.position': seeds });
    return simulation.finished();
  });
  const own = {
    [kind]: falling.elements,
    ...(falling.elements === size ? {} : { asked: size }),
    particles: falling.particles,
    substeps,
    ...rates('forward', substeps, forward),
    ...rates('backward', substeps, backward),
  };
  const yardstick =
    parts.includes('yardstick') && kind === 'tets' ? await measureYardstick(falling, simulation, seeds, substeps) : {};
  simulation.dispose();
  return { ...own, ...yardstick };
}

/** Measures the C++ reference program: its rates, and the difference of its results from those of `simulation`. */
async function measureYardstick(
  { model }: Falling,
  simulation: Simulation,
  seeds: Float64Array,
  substeps: number,
): Promise<Record<string, unknown>> {
  const yardstick = Yardstick.build();
  if (!yardstick) return { yardstickForwardHz: null, yardstickBackwardHz: null };
  const theirs = yardstick.run(model, seeds, simulation.dt, substeps, runs);
  yardstick.dispose();
  const differences: Record<string, number> = {
    position: relativeDifference(await simulation.read('particles.position'), theirs.position),
  };
  for (const [key, values] of Object.entries(theirs.gradients))
    differences[key] = relativeDifference(await simulation.gradient(key), values);
  return {
    ...rates('yardstickForward', substeps, theirs.forwardMs),
    ...rates('yardstickBackward', substeps, theirs.backwardMs),
    differences,
  };
}

/**
 * Measures `renderHz`, pictures rendered per second without physics, and `bothBackwardHz`, substeps per second of a
 * backward run through physics and rendering, with one picture per 32 substeps.
 */
async function pictures(falling: Falling): Promise<Record<string, unknown>> {
  const frames = framesFor(falling.elements);
  const substeps = (frames - 1) * SUBSTEPS;
  const simulation = await createSimulation(falling.model, {
    device,
    ...falling.settings,
    frames,
    substeps: SUBSTEPS,
    record: ['pixels.rgba'],
    memory: MEMORY,
  });
  simulation.forward();
  const picture = await simulation.readFrames('pixels.rgba');
  const seeds = { 'pixels.rgba': picture.map((value, k) => value - (k % 7) / 7) };
  const draw = stageRunner(simulation, 'frame');
  if (!draw) throw new Error('There is nothing to draw.');
  const shots = 4;
  const drawn = await timesMs(runs, 2, () => {
    for (let k = 0; k < shots; k++) draw();
    return simulation.finished();
  });
  simulation.forward();
  const back = await timesMs(runs, 2, () => {
    simulation.backward(seeds);
    return simulation.finished();
  });
  simulation.dispose();
  return { ...rates('render', shots, drawn), ...rates('bothBackward', substeps, back) };
}

if (sizes.length * threads.length === 1) await measure(sizes[0], threads[0]);
else for (const size of sizes) for (const count of threads) inProcessOfItsOwn(size, count);
device.dispose();
