// Many tossed boxes as worlds of one run, against one box alone, on a device: `--device webgpu` (a software adapter where
// there is no GPU, which its description says). `--worlds 1000` at most, by tens; `--frames`, `--substeps`, `--runs`.
// Then a falling sheet with `--columns 24` tangents, in as many worlds, and in fewer of which each has several: the ways in
// turn, forward only.

import { median } from '@gradsim/base';
import { createSimulation } from '@gradsim/core';
import { fallingSheet } from './soft-body/scene.ts';
import { benchOptions, least, print } from './support/options.ts';
import { tossTimes } from './support/toss-times.ts';

const options = await benchOptions(['worlds', 'frames', 'substeps', 'runs', 'columns']);
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

/** Number of triangles of the sheet, and of frames simulated. */
const [TRIANGLES, FRAMES] = [200, 5];
const columns = options.number('columns', 24);
const { model, settings, particles } = fallingSheet(TRIANGLES);
const ways = [];
for (const tangents of [1, 2, 3, 4, 6]) {
  const worlds = Math.ceil(columns / tangents);
  const simulation = await createSimulation(model, {
    ...settings,
    device,
    frames: FRAMES,
    substeps,
    worlds,
    tangents,
    derivative: 'tangent',
  });
  ways.push({ worlds, tangents, simulation, ms: [] as number[] });
}
for (let run = 0; run <= runs; run++)
  for (const { simulation, ms } of ways) {
    const began = performance.now();
    simulation.forward();
    await simulation.finished();
    // The first run compiles.
    if (run > 0) ms.push(performance.now() - began);
  }
for (const { worlds, tangents, simulation, ms } of ways) {
  print({
    bench: 'worlds',
    device: `${device.kind}: ${device.description}`,
    scene: `cloth, ${particles} particles`,
    columns,
    worlds,
    tangents,
    substeps: (FRAMES - 1) * substeps,
    forwardMs: median(ms),
    forwardLeastMs: least(ms),
    leastOverOneTangent: least(ms) / least(ways[0].ms),
    runs,
  });
  simulation.dispose();
}
device.dispose();
