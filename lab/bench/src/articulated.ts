// A chain of links on revolute joints: microseconds a substep, forward and backward, least of `--runs`, by its links and by
// chains side by side, in one world (`arms`) and as worlds. `--links 40`, `--arms 200`, `--substeps 500`, `--device`,
// `--threads 1`.
import { articulated, Link } from '@gradsim/articulated';
import type { Model } from '@gradsim/core';
import { buildModel, createScene, createSimulation } from '@gradsim/core';
import { addChain } from './support/chain.ts';
import { benchOptions, least, print, timesMs } from './support/options.ts';

const options = await benchOptions(['links', 'arms', 'substeps', 'runs']);
const most = options.number('links', 40);
const arms = options.number('arms', 200);
const substeps = options.number('substeps', 500);
const runs = options.number('runs', 5);
/** Number of frames of a timed run, including the initial one. */
const FRAMES = 3;

/** Chains side by side. */
function chains(links: number, count: number): Model {
  const scene = createScene([articulated()]);
  for (let chain = 0; chain < count; chain++) addChain(scene, links);
  return buildModel(scene);
}

interface Case {
  readonly links: number;
  readonly arms?: number;
  readonly worlds?: number;
}
async function time({ links, arms = 1, worlds = 1 }: Case): Promise<{ forward: number; backward: number }> {
  const start = performance.now();
  const simulation = await createSimulation(chains(links, arms), {
    device: options.device,
    frames: FRAMES,
    frameRate: 1000 / substeps,
    substeps,
    worlds,
    parameters: [Link.mass, Link.centre, Link.damping, Link.coordinate],
    outputs: [Link.coordinate],
  });
  const preparingMs = performance.now() - start;
  const seeds = { [Link.coordinate.key]: new Float64Array(links * arms * worlds).fill(1) };
  const forward = await timesMs(runs, 1, () => {
    simulation.forward();
    return simulation.finished();
  });
  const backward = await timesMs(runs, 1, () => {
    simulation.backward(seeds);
    return simulation.finished();
  });
  const us = (times: readonly number[]): number => (least(times) * 1000) / (substeps * (FRAMES - 1));
  const result = { forward: us(forward), backward: us(backward) };
  print({
    bench: 'articulated',
    device: options.device.kind,
    links,
    arms,
    worlds,
    preparingMs,
    forwardUs: result.forward,
    backwardUs: result.backward,
  });
  simulation.dispose();
  return result;
}

for (let links = 5; links <= most; links *= 2) await time({ links });
const alone = await time({ links: 20 });
for (const side of [{ arms }, { worlds: arms }]) {
  const many = await time({ links: 20, ...side });
  print({
    bench: 'articulated',
    links: 20,
    ...side,
    timesOneAfterAnother: (alone.forward * arms) / many.forward,
    backwardTimesOneAfterAnother: (alone.backward * arms) / many.backward,
  });
}
options.device.dispose();
