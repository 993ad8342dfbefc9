// A cube of jelly that falls on a floor: material points in three dimensions. Milliseconds of a substep, forward and
// backward, wall and processor, least of `--runs`; beside a plain scalar loop in C++ (g++ -O3) of the same substep, on one
// thread, where there is a compiler. `--side 47` points along a side, `--nodes 48` along a side of the grid,
// `--substeps 20`, `--runs 5`, `--material elastic|liquid|sand`, `--threads 2`.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSimulation } from '@gradsim/core';
import type { Material } from './mpm/cube.ts';
import { fallingCube, MATERIALS, stepOf } from './mpm/cube.ts';
import { benchOptions, chosenNames, least, print } from './support/options.ts';

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

/** Wall and processor time of a substep, ms. */
async function timed(act: () => void): Promise<{ wall: number; processor: number }> {
  const [began, used] = [performance.now(), process.cpuUsage()];
  act();
  await simulation.finished();
  const { user, system } = process.cpuUsage(used);
  return { wall: (performance.now() - began) / substeps, processor: (user + system) / 1000 / substeps };
}
const [forward, backward]: { wall: number; processor: number }[][] = [[], []];
for (let run = 0; run < runs + 2; run++) {
  const ahead = await timed(() => simulation.forward());
  const back = await timed(() => simulation.backward(seeds));
  if (run < 2) continue;
  forward.push(ahead);
  backward.push(back);
}
const y = (await simulation.read(of.position)).filter((_, k) => k % 3 === 1);
print({
  bench: 'mpm',
  device: device.description,
  material,
  points: count,
  nodes: nodes ** 3,
  substeps,
  forwardMs: least(forward.map(({ wall }) => wall)),
  forwardProcessorMs: least(forward.map(({ processor }) => processor)),
  backwardMs: least(backward.map(({ wall }) => wall)),
  backwardProcessorMs: least(backward.map(({ processor }) => processor)),
  height: y.reduce((sum, value) => sum + value, 0) / count,
});
simulation.dispose();
device.dispose();
if (material === 'elastic') printPlainLoop();

/** Prints what the plain loop takes, with the height that it comes to. */
function printPlainLoop(): void {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-mpm-'));
  try {
    const program = join(folder, 'plain');
    const source = fileURLToPath(new URL('../src/mpm/plain.cpp', import.meta.url));
    const compiled = spawnSync('g++', ['-O3', '-march=native', '-o', program, source], { encoding: 'utf8' });
    if (compiled.error) {
      print({ bench: 'mpm', plain: 'C++', skipped: 'no g++' });
      return;
    }
    if (compiled.status !== 0) throw new Error(compiled.stderr);
    const times = Array.from({ length: runs }, () => {
      const { stdout } = spawnSync(program, [side, nodes, substeps, 0].map(String), { encoding: 'utf8' });
      return JSON.parse(stdout) as { substepMs: number; height: number };
    });
    const { height } = times[0];
    print({ bench: 'mpm', plain: 'C++', processorMs: least(times.map(({ substepMs }) => substepMs)), height });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
