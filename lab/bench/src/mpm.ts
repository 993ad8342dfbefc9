// A cube of jelly that falls on a floor: material points in three dimensions. Milliseconds of a substep, forward and
// backward, wall and processor, least of `--runs`; beside a plain scalar loop in C++ (g++ -O3) of the same substep, on one
// thread, where there is a compiler. `--side 47` points along a side, `--nodes 48` along a side of the grid,
// `--substeps 20`, `--runs 5`, `--material elastic|liquid|sand`, `--threads 2`.

import { fileURLToPath } from 'node:url';
import { createSimulation } from '@gradsim/core';
import type { Material } from './mpm/cube.ts';
import { fallingCube, MATERIALS, stepOf } from './mpm/cube.ts';
import { benchOptions, chosenNames, print } from './support/options.ts';
import { plainLoop, substepTimes } from './support/substeps.ts';

const options = await benchOptions(['side', 'nodes', 'substeps', 'runs', 'material']);
const side = options.number('side', 47);
const nodes = options.number('nodes', 48);
const substeps = options.number('substeps', 20);
const runs = options.number('runs', 5);
const { device } = options;

const names = Object.keys(MATERIALS) as Material[];
const [material] = chosenNames('material', options.text('material', 'elastic'), names);
const { of } = MATERIALS[material];

const simulation = await createSimulation(fallingCube(side, nodes, material), {
  device,
  frames: 2,
  frameRate: 1 / (stepOf(nodes) * substeps),
  substeps,
  parameters: [of.velocity],
  outputs: [of.position],
});
const count = side ** 3;
const seeds = { [of.position.key]: Float64Array.from({ length: 3 * count }, (_, k) => (k % 3 === 1 ? 1 / count : 0)) };

const times = await substepTimes(simulation, seeds, { substeps, runs });
const y = (await simulation.read(of.position)).filter((_, k) => k % 3 === 1);
print({
  bench: 'mpm',
  device: device.description,
  material,
  points: count,
  nodes: nodes ** 3,
  substeps,
  ...times,
  height: y.reduce((sum, value) => sum + value, 0) / count,
});
simulation.dispose();
device.dispose();
if (material === 'elastic') {
  const plain = plainLoop(
    fileURLToPath(new URL('../src/mpm/plain.cpp', import.meta.url)),
    [side, nodes, substeps, 0],
    runs,
  );
  print({ bench: 'mpm', plain: 'C++', ...(plain ?? { skipped: 'no g++' }) });
}
