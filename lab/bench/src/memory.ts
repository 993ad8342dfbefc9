// A gradient over many substeps within a memory budget, against one that keeps every state: bit for bit the same, and
// how much longer it takes. Both are measured in turns, so that a busy machine slows both alike. Of 200 boxes over 10,000
// substeps in 64 MB, or with `--tets 10000` of a soft block over 5760 in 256 MB.

import { median } from '@gradsim/base';
import type { Simulation } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { fallingBlock, positionSeeds, SUBSTEPS } from './soft-body/scene.ts';
import { sameBits } from './support/bits.ts';
import { benchOptions, least, print } from './support/options.ts';
import { TOSSED, tossedBoxes, tossedSeeds } from './support/tossed-box.ts';

const options = await benchOptions(['boxes', 'tets', 'frames', 'substeps', 'budget', 'runs']);
const { device } = options;
const tets = options.number('tets', 0);
const boxes = options.number('boxes', tets > 0 ? 0 : 200);
const frames = options.number('frames', tets > 0 ? 181 : 101);
const substeps = options.number('substeps', tets > 0 ? SUBSTEPS : 100);
const budget = options.number('budget', tets > 0 ? 256e6 : 64e6);
const runs = options.number('runs', 5);

const block = tets > 0 ? fallingBlock(tets) : null;
const model = block ? block.model : tossedBoxes(boxes);
const seeds = block ? { 'particles.position': positionSeeds(block.particles) } : tossedSeeds(boxes);
const scene = block ? block.settings : TOSSED;

/** Resident memory of this process, MB, including memory that it has freed but not returned. */
const residentMB = (): number => process.memoryUsage().rss / 1e6;
const arenaMB = (simulation: Simulation): number => simulation.memoryUse().arena / 1e6;

async function timed(simulation: Simulation): Promise<number> {
  const began = performance.now();
  simulation.forward();
  simulation.backward(seeds);
  await simulation.finished();
  return performance.now() - began;
}

async function gradients(simulation: Simulation): Promise<Float64Array[]> {
  const all: Float64Array[] = [];
  for (const key of scene.parameters ?? []) all.push(await simulation.gradient(key));
  return all;
}

const settings = { device, ...scene, frames, substeps };
const frugal = await createSimulation(model, { ...settings, memory: budget });
const before = residentMB();
await timed(frugal);
const peakMB = { arena: arenaMB(frugal), process: residentMB(), processBefore: before };
const roomy = await createSimulation(model, { ...settings, memory: 1e10 });
await timed(roomy);
const [frugalMs, roomyMs]: [number[], number[]] = [[], []];
for (let run = 0; run < runs; run++) {
  frugalMs.push(await timed(frugal));
  roomyMs.push(await timed(roomy));
}
const [ours, theirs] = [await gradients(frugal), await gradients(roomy)];
const { state: stateBytes } = frugal.memoryUse();
print({
  bench: 'memory',
  device: device.kind,
  substeps: (frames - 1) * substeps,
  ...(block ? { tets: block.elements } : { boxes }),
  statesMB: (stateBytes * ((frames - 1) * substeps + 1)) / 1e6,
  budgetMB: budget / 1e6,
  identical: ours.every((gradient, k) => sameBits(gradient, theirs[k])),
  timeRatio: median(frugalMs.map((time, run) => time / roomyMs[run])),
  leastTimeRatio: least(frugalMs) / least(roomyMs),
  milliseconds: median(frugalMs),
  unlimitedMilliseconds: median(roomyMs),
  peakMB,
  unlimitedArenaMB: arenaMB(roomy),
  runs,
});
device.dispose();
