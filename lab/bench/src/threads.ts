// One thread against several, and against what the device chooses by itself, while other programs run beside: each scene with
// `--beside 0,1,2` busy loops in processes of their own. Wall times in milliseconds of runs forward and back, the ways in
// turn, `--runs` of each. `--scenes` names some, by words that they begin with.

import { spawn } from 'node:child_process';
import { median } from '@gradsim/base';
import type { Simulation } from '@gradsim/core';
import { createSimulation, selectDevice } from '@gradsim/core';
import { fallingBlock, fallingSheet, positionSeeds, SUBSTEPS } from './soft-body/scene.ts';
import { benchOptions, least, print } from './support/options.ts';

const options = await benchOptions(['beside', 'runs', 'scenes', 'frames']);
options.device.dispose();
const beside = options.text('beside', '0,1,2').split(',').map(Number);
const runs = options.number('runs', 30);
const frames = options.number('frames', 9);
const most = options.number('threads', 2);

const SCENES = {
  'cloth, 441 particles': () => fallingSheet(800),
  'soft body, 1000 tetrahedra': () => fallingBlock(1000),
  'soft body, 10,140 tetrahedra': () => fallingBlock(10_000),
};
/** Number of runs before measuring: by then the device has chosen the number of threads. */
const WARM_UP = 6;
/** Numbers of threads to compare; with undefined the device chooses. */
const THREAD_CHOICES = { one: 1, several: most, chosen: undefined };

/** Pause between runs, ms: long enough for idle workers to go to sleep. */
const QUIET_SECONDS = 3;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, QUIET_SECONDS));

async function timed(simulation: Simulation, act: () => void): Promise<number> {
  await pause();
  const began = performance.now();
  act();
  await simulation.finished();
  return performance.now() - began;
}

async function measure(name: string, loops: number): Promise<void> {
  const { model, particles, settings } = SCENES[name as keyof typeof SCENES]();
  const seeds = { 'particles.position': positionSeeds(particles) };
  const ways = await Promise.all(
    Object.entries(THREAD_CHOICES).map(async ([way, threads]) => {
      const device = await selectDevice('cpu', { threads });
      const simulation = await createSimulation(model, { device, ...settings, frames, substeps: SUBSTEPS });
      const times = { forward: [] as number[], backward: [] as number[] };
      return { way, device, simulation, times };
    }),
  );
  const busy = Array.from({ length: loops }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  for (let run = 0; run < runs + WARM_UP; run++)
    for (const { simulation, times } of ways) {
      const forward = await timed(simulation, () => simulation.forward());
      const backward = await timed(simulation, () => simulation.backward(seeds));
      if (run < WARM_UP) continue;
      times.forward.push(forward);
      times.backward.push(backward);
    }
  for (const loop of busy) loop.kill();
  for (const { way, device, simulation, times } of ways) {
    const figures = Object.entries(times).flatMap(([direction, ms]) => [
      [`${direction}Ms`, median(ms)],
      [`${direction}LeastMs`, least(ms)],
    ]);
    print({
      bench: 'threads',
      scene: name,
      beside: loops,
      way,
      threads: THREAD_CHOICES[way as keyof typeof THREAD_CHOICES] ?? null,
      ...Object.fromEntries(figures),
      runs,
    });
    simulation.dispose();
    device.dispose();
  }
}

const wanted = options.text('scenes', '').split(';');
for (const name of Object.keys(SCENES))
  if (wanted.some((word) => name.startsWith(word))) for (const loops of beside) await measure(name, loops);
