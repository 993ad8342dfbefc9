// One box tossed onto the ground: 61 frames of 32 substeps, forward and back; and as many such runs as worlds of one
// batch, against one after another. Gradients are of the last pose, with respect to every physical input.
import { median } from '@gradsim/base';
import { benchOptions, least, print } from './support/options.ts';
import { tossTimes } from './support/toss-times.ts';

const options = await benchOptions(['frames', 'substeps', 'runs']);
const { device } = options;
const frames = options.number('frames', 61);
const substeps = options.number('substeps', 32);
const runs = options.number('runs', 60);

let alone = 0;
for (const worlds of [1, 20, 200]) {
  const { forward, backward } = await tossTimes({ device, frames, substeps, worlds, runs });
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
    runs: forward.length,
  });
}
device.dispose();
