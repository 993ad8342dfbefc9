// Smoke of 110 x 110 cells over 99 steps of 6 sweeps, as in the paper's experiment: milliseconds forward and backward, least
// of `--runs`. `--rows 110`, `--columns 110`, `--steps 99`, `--sweeps 6`, `--runs 20`, `--threads 2`. With
// `--target FILE`, a picture of that size, the loss too that both initial velocity fields come to after `--gradients 50`.

import { median } from '@gradsim/base';
import { buildModel, createScene, createSimulation } from '@gradsim/core';
import { goalFrom, smokeControlProblem, smokeLoss } from '@gradsim/examples';
import { estimate } from '@gradsim/optim';
import { addSmoke, SmokeCell, smoke } from '@gradsim/smoke';
import { benchOptions, least, print, timesMs } from './support/options.ts';

const options = await benchOptions(['rows', 'columns', 'steps', 'sweeps', 'runs', 'gradients', 'target']);
const rows = options.number('rows', 110);
const columns = options.number('columns', 110);
const steps = options.number('steps', 99);
const sweeps = options.number('sweeps', 6);
const runs = options.number('runs', 20);
const { device } = options;

const at = (k: number): [number, number] => [Math.floor(k / columns), k % columns];
const cells = Array.from({ length: rows * columns }, (_, k) => k);
const scene = createScene([smoke({ sweeps })]);
addSmoke(scene, {
  rows,
  columns,
  density: cells.map((k) => (at(k)[0] >= (2 * rows) / 3 ? 1 : 0)),
  // Eddies of up to 0.3 cells a step.
  velocity: cells.flatMap((k) => [0.3 * Math.sin(at(k)[1] / 9), 0.3 * Math.cos(at(k)[0] / 7)]),
});
const simulation = await createSimulation(buildModel(scene), {
  device,
  frames: 2,
  frameRate: 1,
  substeps: steps,
  parameters: [SmokeCell.velocity],
  outputs: [SmokeCell.density],
});
const seeds = { [SmokeCell.density.key]: new Float64Array(rows * columns).fill(1 / (rows * columns)) };
const warmUp = 3;
const forward = await timesMs(runs, warmUp, () => {
  simulation.forward();
  return simulation.finished();
});
const backward = await timesMs(runs, warmUp, () => {
  simulation.backward(seeds);
  return simulation.finished();
});
simulation.dispose();
const line = { bench: 'smoke', device: device.description, rows, columns, steps, sweeps };
print({
  ...line,
  forwardMs: least(forward),
  backwardMs: least(backward),
  medianForwardMs: median(forward),
  medianBackwardMs: median(backward),
});

const target = options.text('target', '');
if (target !== '') {
  const gradients = options.number('gradients', 50);
  const goal = await goalFrom(target);
  const problem = smokeControlProblem({ goal, steps, sweeps, iterations: gradients });
  const found = await estimate(problem, { device });
  const { iteration, seconds } = found.history.at(-1)!;
  print({ ...line, target, gradients: iteration, loss: smokeLoss(found, problem, goal), seconds });
}
device.dispose();
