// One box tossed onto the ground: 61 frames of 32 substeps, forward and back; and as many such runs as worlds of one
// batch, against one after another. Gradients are of the last pose, with respect to every physical input.
import { createSimulation } from '@gradsim/core';
import { benchOptions, least, median, print, timesMs } from './support/options.ts';
import { TOSSED, tossedBoxes, tossedSeeds } from './support/tossed-box.ts';

const options = await benchOptions(['frames', 'substeps', 'runs']);
const { device } = options;
const frames = options.number('frames', 61);
const substeps = options.number('substeps', 32);
const runs = options.number('runs', 60);
const model = tossedBoxes(1);

let alone = 0;
for (const worlds of [1, 20, 200]) {
  const simulation = await createSimulation(model, {
    device,
    ...TOSSED,
    frames,
    substeps,
    worlds,
    memory: 2e9,
  });
  const seeds = tossedSeeds(worlds);
  // Devices that work on their own have finished when a word comes back.
  const finished = (): Promise<unknown> => simulation.compiled.executor.readF32(0, 1);
  const count = Math.ceil(runs / Math.sqrt(worlds));
  const forward = await timesMs(count, 5, () => {
    simulation.forward();
    return finished();
  });
  const backward = await timesMs(count, 5, () => {
    simulation.backward(seeds);
    return finished();
  });
  const both = median(forward) + median(backward);
  if (worlds === 1) alone = both;
  print({
    bench: 'rigid',
    device: device.kind,
    substeps: (frames - 1) * substeps,
    worlds,
    forwardMs: median(forward),
    backwardMs: median(backward),
    leastForwardMs: least(forward),
    leastBackwardMs: least(backward),
    stepsPerSecond: ((frames - 1) * substeps * worlds * 1000) / both,
    fasterThanOneAfterAnother: (alone * worlds) / both,
    runs: count,
  });
  simulation.dispose();
}
device.dispose();
