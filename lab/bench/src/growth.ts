// Time that a run back takes to watch how adjoints grow: that of one look at the adjoints of all states, times the looks of the run,
// over that of `backward`. Least times of interleaved runs.
import type { Model } from '@gradsim/core';
import { buildModel, createScene, createSimulation } from '@gradsim/core';
import { stageRunner } from '@gradsim/core/testing';
import { addSoftBody, fem } from '@gradsim/fem';
import { tetBox } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { benchOptions, least, print } from './support/options.ts';
import { TOSSED, tossedBoxes } from './support/tossed-box.ts';

const options = await benchOptions(['runs', 'looks']);
const { device } = options;
const runs = options.number('runs', 20);
const looksTimed = options.number('looks', 200);

interface Case {
  readonly name: string;
  readonly model: Model;
  readonly frames: number;
  readonly frameRate: number;
  readonly substeps: number;
  readonly parameters: readonly string[];
  readonly output: string;
}

function softBlock(cells: number): Model {
  const scene = createScene([particles(), fem()]);
  const mesh = tetBox({ cells: [cells, cells, cells], size: [0.2, 0.2, 0.2] });
  addSoftBody(scene, mesh, { mu: 1e3, lambda: 1e3, damping: 1, density: 1000 });
  return buildModel(scene);
}
const soft = {
  frameRate: 30,
  parameters: ['tets.mu', 'particles.velocity'],
  output: Particle.position.key,
};
const cases: Case[] = [
  ...[1, 100].map((boxes) => ({
    name: `${boxes} tossed ${boxes === 1 ? 'box' : 'boxes'}`,
    model: tossedBoxes(boxes),
    frames: 61,
    substeps: 32,
    frameRate: TOSSED.frameRate,
    parameters: TOSSED.parameters,
    output: 'bodies.position',
  })),
  { name: 'one tossed box, a frame a substep', model: tossedBoxes(1), frames: 1921, substeps: 1 },
  { name: 'soft block of 162 tets', model: softBlock(3), frames: 31, substeps: 32, ...soft },
  { name: 'soft block of 10368 tets', model: softBlock(12), frames: 5, substeps: 32, ...soft },
].map((one) => ({
  ...soft,
  ...(one.name.includes('tossed') ? TOSSED : {}),
  output: 'bodies.position',
  ...one,
}));

for (const { name, model, frames, frameRate, substeps, parameters, output } of cases) {
  const simulation = await createSimulation(model, {
    device,
    frames,
    frameRate,
    substeps,
    parameters,
    outputs: [output],
    onWarning: () => {},
  });
  simulation.forward();
  const seeds = { [output]: (await simulation.read(output)).map((_, k) => 1 - (k % 5) / 3) };
  const lookOnce = stageRunner(simulation, 'growth');
  if (!lookOnce) throw new Error(`${name} has nothing to look at.`);
  const [back, look]: [number[], number[]] = [[], []];
  for (let run = 0; run < runs + 2; run++) {
    const start = performance.now();
    simulation.backward(seeds);
    const between = performance.now();
    for (let k = 0; k < looksTimed; k++) lookOnce();
    const end = performance.now();
    if (run < 2) continue;
    back.push(between - start);
    look.push((end - between) / looksTimed);
  }
  const { sizes } = await simulation.gradientReport();
  print({
    bench: 'growth',
    device: device.kind,
    case: name,
    substeps: (frames - 1) * substeps,
    backwardMs: least(back),
    lookMs: least(look),
    looks: sizes.length,
    share: (least(look) * sizes.length) / least(back),
  });
  simulation.dispose();
}
device.dispose();
