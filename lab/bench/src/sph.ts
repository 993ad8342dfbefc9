// A cube of water, smoothed particles with lists of neighbours, that falls and swells. Milliseconds of a substep, forward
// and backward, wall and processor, least of `--runs`; beside plain loops of the same substep in JavaScript (doubles) and,
// where there is a compiler, C++ (g++ -O3), each on one thread. `--side 47` particles along a side of the cube,
// `--substeps 20`, `--runs 5`, `--threads 2`.

import { fileURLToPath } from 'node:url';
import { createSimulation } from '@gradsim/core';
import { Particle } from '@gradsim/particles';
import { plainWater } from './sph/plain.ts';
import { placesOf, SUBSTEP, spreadOf, stiffness, waterModel } from './sph/water.ts';
import { benchOptions, print } from './support/options.ts';
import { leastOf, plainLoop, substepTimes } from './support/substeps.ts';

const options = await benchOptions(['side', 'substeps', 'runs']);
const side = options.number('side', 47);
const substeps = options.number('substeps', 20);
const runs = options.number('runs', 5);
const { device } = options;

const simulation = await createSimulation(waterModel(side), {
  device,
  frames: 2,
  frameRate: 1 / (SUBSTEP * substeps),
  substeps,
  parameters: [stiffness, Particle.velocity],
  outputs: [Particle.position],
});
const count = side ** 3;
// How far the cube swells along y, by the place of each particle at first.
const middle = placesOf(side).reduce((sum, value, k) => (k % 3 === 1 ? sum + value : sum), 0) / count;
const seeds = {
  [Particle.position.key]: Float64Array.from(placesOf(side), (y, k) => (k % 3 === 1 ? (y - middle) / count : 0)),
};
const times = await substepTimes(simulation, seeds, { substeps, runs });
const spread = spreadOf(await simulation.read(Particle.position));
const [ofStiffness] = await simulation.gradient(stiffness);
print({ bench: 'sph', device: device.description, particles: count, substeps, ...times, spread, ofStiffness });
simulation.dispose();
device.dispose();
print({ bench: 'sph', plain: 'JavaScript', ...leastOf(runs, () => plainWater(side, substeps)) });
const plain = plainLoop(fileURLToPath(new URL('../src/sph/plain.cpp', import.meta.url)), [side, substeps], runs);
print({ bench: 'sph', plain: 'C++', ...(plain ?? { skipped: 'no g++' }) });
