// Cost by size: a soft block (tetrahedra), tossed boxes on the ground (bodies), a falling jelly (material points), a picture
// of 256 x 256 (faces), each forward and back. A line each: milliseconds of the processor a substep or picture, all threads
// included, least of three; bytes an element of all arrays with 8 checkpoints, and of one; seconds of the processor until
// the first substep; and where one stops, why. A process each, ended after `--limit 150` seconds. `--sizes 100,1000`,
// `--models fem`. `lab/paper/dist/scale.js` draws the lines.

import { spawnSync } from 'node:child_process';
import type { Model, SimulationOptions } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { ElasticPoint } from '@gradsim/mpm';
import { softRasScene } from '@gradsim/render-softras';
import { fallingCube, stepOf } from './mpm/cube.ts';
import { fallingBlock, positionSeeds } from './soft-body/scene.ts';
import { globeInView } from './support/globe.ts';
import { benchOptions, chosenNames, least, print } from './support/options.ts';
import { TOSSED, tossedBoxes, tossedSeeds } from './support/tossed-box.ts';

/** A model of a size, with what its gradient is of. */
interface Sized {
  readonly model: Model;
  readonly elements: number;
  readonly settings: Pick<SimulationOptions, 'parameters' | 'outputs' | 'record'>;
  readonly seeds: Readonly<Record<string, ArrayLike<number>>>;
  /** Duration of a substep, s; absent for a picture, which has none. */
  readonly dt?: number;
}

const MODELS: Readonly<Record<string, (size: number) => Sized>> = {
  fem: (size) => {
    const { model, elements, particles, settings } = fallingBlock(size);
    const { parameters, outputs } = settings;
    const seeds = { 'particles.position': positionSeeds(particles) };
    return { model, elements, settings: { parameters, outputs }, seeds, dt: 1 / 1920 };
  },
  contact: (size) => {
    const { parameters, outputs } = TOSSED;
    return {
      model: tossedBoxes(size),
      elements: size,
      settings: { parameters, outputs },
      seeds: tossedSeeds(size),
      dt: 1 / 1920,
    };
  },
  mpm: (size) => {
    const side = Math.round(Math.cbrt(size));
    // Half of the grid's side is filled, beside the floor.
    const nodes = side + 12;
    const { velocity, position } = ElasticPoint;
    const seeds = { [position.key]: new Float64Array(3 * side ** 3).fill(1 / size) };
    const settings = { parameters: [velocity], outputs: [position] };
    return { model: fallingCube(side, nodes, 'elastic'), elements: side ** 3, settings, seeds, dt: stepOf(nodes) };
  },
  raster: (size) => {
    const { model } = softRasScene({ width: 256, height: 256 }, globeInView(size), { sigma: 1e-5, gamma: 1e-4 });
    const settings = { record: ['pixels.rgba'], parameters: ['viewVertices.ndc', 'faces.color'] };
    const seeds = { 'pixels.rgba': new Float64Array(4 * 256 ** 2).fill(1) };
    return { model, elements: model.domain('faces').size, settings, seeds };
  },
};

/** Number of substeps of a run, all of whose states are kept. */
const SUBSTEPS = 8;
/** Approximate number of elements times substeps that are timed together. */
const WORK = 1e6;
const TIMES = 3;

const options = await benchOptions(['models', 'sizes', 'limit']);
const { device } = options;
const models = chosenNames('models', options.text('models', ''), Object.keys(MODELS));
const sizes = options.text('sizes', '100,1000,10000,100000,1000000').split(',').map(Number);
const limit = options.number('limit', 150);

async function measure(name: string, size: number): Promise<void> {
  const { model, elements, settings, seeds, dt } = MODELS[name](size);
  const substeps = dt === undefined ? 1 : SUBSTEPS;
  const repeats = Math.ceil(WORK / (elements * substeps * (dt === undefined ? 100 : 1)));
  const frames = dt === undefined ? 1 : 2;
  const simulation = await createSimulation(model, {
    ...settings,
    device,
    frames,
    frameRate: dt === undefined ? 1 : 1 / (dt * substeps),
    substeps,
    memory: 4e9,
  });
  const prepareSeconds = process.cpuUsage().user / 1e6;
  /** Milliseconds of the processor for each substep. */
  const processorOf = async (act: () => void): Promise<number> => {
    const used = process.cpuUsage();
    for (let k = 0; k < repeats; k++) act();
    await simulation.finished();
    const { user, system } = process.cpuUsage(used);
    return (user + system) / 1000 / (substeps * repeats);
  };
  const [forward, backward]: number[][] = [[], []];
  for (let run = 0; run < TIMES; run++) {
    forward.push(await processorOf(() => simulation.forward()));
    backward.push(await processorOf(() => simulation.backward(seeds)));
  }
  const { arena, state } = simulation.memoryUse();
  print({
    bench: 'scale',
    device: device.description,
    model: name,
    elements,
    prepareSeconds,
    forwardMs: least(forward),
    backwardMs: least(backward),
    bytesPerElement: arena / elements,
    bytesOfCheckpoint: state / elements,
    peakMB: process.resourceUsage().maxRSS / 1e3,
  });
}

if (models.length * sizes.length === 1) await measure(models[0], sizes[0]);
else
  for (const model of models)
    for (const size of sizes) {
      const own = ['--models', model, '--sizes', String(size)];
      const args = [...process.execArgv, process.argv[1], ...process.argv.slice(2), ...own];
      const ended = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: limit * 1000 });
      const last = ended.stderr.trim().split('\n').at(-1);
      if (ended.status === 0) process.stdout.write(ended.stdout);
      else print({ bench: 'scale', model, elements: size, stopped: ended.error ? `after ${limit} s` : last });
    }
device.dispose();
