// Many tossed boxes as worlds of one run, against one box alone, on a device: `--device webgpu` (a software adapter where
// there is no GPU, which its description says). `--worlds 1000` at most, by tens; `--frames`, `--substeps`, `--runs`.
import { median } from '@gradsim/numeric';
import { benchOptions, print } from './support/options.ts';
import { tossTimes } from './support/toss-times.ts';

const options = await benchOptions(['worlds', 'frames', 'substeps', 'runs']);
const { device } = options;
const frames = options.number('frames', 61);
const substeps = options.number('substeps', 32);
const runs = options.number('runs', 12);
const most = options.number('worlds', 1000);

let alone: { forward: number; both: number } | undefined;
for (let worlds = 1; worlds <= most; worlds *= 10) {
  const times = await tossTimes({ device, frames, substeps, worlds, runs });
  const forward = median(times.forward);
  const both = forward + median(times.backward);
  alone ??= { forward, both };
  print({
    bench: 'worlds',
    device: `${device.kind}: ${device.description}`,
    worlds,
    substeps: (frames - 1) * substeps,
    forwardMs: forward,
    bothMs: both,
    forwardTimesOneWorld: (alone.forward * worlds) / forward,
    bothTimesOneWorld: (alone.both * worlds) / both,
    runs: times.forward.length,
  });
}
device.dispose();
