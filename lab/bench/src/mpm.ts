// A cube of jelly that falls on a floor: material points in three dimensions. Milliseconds of a substep, forward and
// backward, wall and processor, least of `--runs`; beside a plain scalar loop in C++ (g++ -O3) of the same substep, on one
// thread, where there is a compiler. `--side 47` points along a side, `--nodes 48` along a side of the grid,
// `--substeps 20`, `--runs 5`, `--material elastic|liquid|sand`, `--threads 2`.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HalfSpace } from '@gradsim/contact';
import { buildModel, createScene, createSimulation } from '@gradsim/core';
import { addPoints, ElasticPoint, LiquidPoint, mpm, pointsInBox, SandPoint } from '@gradsim/mpm';
import { benchOptions, chosenNames, least, print } from './support/options.ts';

const options = await benchOptions(['side', 'nodes', 'substeps', 'runs', 'material']);
const side = options.number('side', 47);
const nodes = options.number('nodes', 48);
const substeps = options.number('substeps', 20);
const runs = options.number('runs', 5);
const { device } = options;

const MATERIALS = {
  elastic: { of: ElasticPoint, columns: { density: 1000, youngsModulus: 1e5, poissonRatio: 0.3 } },
  liquid: { of: LiquidPoint, columns: { density: 1000, bulkModulus: 1e5, viscosity: 1 } },
  sand: { of: SandPoint, columns: { density: 1000, youngsModulus: 1e5, poissonRatio: 0.3, frictionAngle: 0.6 } },
};
const names = Object.keys(MATERIALS) as (keyof typeof MATERIALS)[];
const [material] = chosenNames('material', options.text('material', 'elastic'), names);
const { of, columns } = MATERIALS[material];

const spacing = 1 / nodes;
const dt = (1e-4 * 48) / nodes;
const [low, high] = [0.5 - (side * spacing) / 4, 0.5 + (side * spacing) / 4];
const scene = createScene([mpm({ size: [nodes, nodes, nodes], spacing })]);
// A floor whose nodes are the lowest three.
scene.add(HalfSpace, { offset: 2.5 * spacing });
addPoints(scene, of, {
  ...pointsInBox({
    from: [low, 4 * spacing, low],
    to: [high, (4 + side / 2) * spacing, high],
    spacing: spacing / 2,
  }),
  ...columns,
  velocity: [0, -1, 0],
});
const simulation = await createSimulation(buildModel(scene), {
  device,
  frames: 2,
  frameRate: 1 / (dt * substeps),
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
