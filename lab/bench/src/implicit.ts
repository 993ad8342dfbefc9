// The falling block of `soft-body`, stiffer and stiffer, for one second with its gradient: by explicit substeps, as many
// as its motion needs to stay bounded, and by implicit steps of 1/120 s. A line for each stiffness, named by the explicit
// substeps a second that it needs (`explicitHz`), then one with where the two take the same time.
// `--hz 20000,200000`, `--size 10140` tets, `--seconds 1`, `--runs 3`, `--tolerance`.
// Explicit runs take their substeps times what a substep of a short one takes, forward and back, so that nothing that they
// would have to run again for want of memory is held against them.

import { median } from '@gradsim/base';
import type { Simulation } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { implicitSteps } from '@gradsim/implicit';
import type { BlockOptions } from './soft-body/scene.ts';
import { fallingBlock, positionSeeds } from './soft-body/scene.ts';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['hz', 'size', 'seconds', 'runs', 'tolerance']);
const { device } = options;
const size = options.number('size', 10140);
const seconds = options.number('seconds', 1);
const runs = options.number('runs', 3);
const rates = options.text('hz', '500,2000,5000,10000,20000,50000,200000').split(',').map(Number);
const tolerance = Number(options.text('tolerance', '1e-4'));

/** Rate of implicit steps, 1/s. */
const STEP_RATE = 120;
/** Memory budget of the tape, bytes. */
const MEMORY = 1e9;
/** Number of explicit substeps that are timed; times of longer runs are scaled from them. */
const SAMPLE = 64;
/** Speed above which a run counts as unstable, m/s; no motion in this scene is that fast. */
const BURST = 100;

interface Times {
  readonly forwardS: number;
  readonly backwardS: number;
  /** Processor time of the forward and the backward run together, s. */
  readonly cpuS: number;
}

async function simulate(block: BlockOptions, frames: number, frameRate: number): Promise<[Simulation, number]> {
  const { model, settings, particles } = fallingBlock(size, false, 'linear', block);
  const run = { ...settings, frameRate, frames, substeps: 1, memory: MEMORY, onWarning: () => {} };
  return [await createSimulation(model, { device, ...run }), particles];
}

async function times(block: BlockOptions, substeps: number, rate: number): Promise<Times & { particles: number }> {
  const [simulation, particles] = await simulate(block, substeps + 1, rate);
  const seeds = positionSeeds(particles);
  const measured: Times[] = [];
  for (let run = 0; run <= runs; run++) {
    const cpu = process.cpuUsage();
    const began = performance.now();
    simulation.forward();
    await simulation.finished();
    const turned = performance.now();
    simulation.backward({ 'particles.position': seeds });
    await simulation.finished();
    const ended = performance.now();
    const { user, system } = process.cpuUsage(cpu);
    // What is raised on the way is no figure.
    if (run === 0) await simulation.gradient('tets.mu');
    else
      measured.push({
        forwardS: (turned - began) / 1e3,
        backwardS: (ended - turned) / 1e3,
        cpuS: (user + system) / 1e6,
      });
  }
  simulation.dispose();
  const of = (name: keyof Times): number => median(measured.map((one) => one[name]));
  return { forwardS: of('forwardS'), backwardS: of('backwardS'), cpuS: of('cpuS'), particles };
}

/** Moduli of the body, Pa: so stiff that the body itself, not its contact, limits the substep. */
const STIFF = 100;
/** Simulated time after which an instability would show, s. */
const WHILE = 0.3;

/** Returns whether an explicit run with a given substep rate, 1/s, stays bounded. */
async function isStable(rate: number): Promise<boolean> {
  const [simulation] = await simulate({ stiffness: STIFF }, Math.ceil(rate * WHILE) + 1, rate);
  simulation.forward();
  const speeds = await simulation.read('particles.velocity').catch(() => null);
  simulation.dispose();
  return speeds?.every((v) => Math.abs(v) < BURST) ?? false;
}

/**
 * Minimum stable substep rate of a body with moduli of 1 Pa, 1/s, to 2 %: searched for {@link STIFF}, and scaled with
 * the square root of the moduli.
 */
async function leastRate(): Promise<number> {
  let [low, high] = [500, 8000];
  while (high / low > 1.02) {
    const middle = Math.round(Math.sqrt(low * high));
    if (await isStable(middle)) high = middle;
    else low = middle;
  }
  return high / Math.sqrt(STIFF);
}

const least = await leastRate();

const { elements: tets } = fallingBlock(size);
const line: { hz: number; speedup: number }[] = [];
for (const hz of rates) {
  // Next to what it is held against: other programs take from both.
  const explicit = await times({}, SAMPLE, 1920);
  const samples = (hz * seconds) / SAMPLE;
  const explicitS = (explicit.forwardS + explicit.backwardS) * samples;
  const explicitCpuS = explicit.cpuS * samples;
  const stiffness = (hz / least) ** 2;
  const implicit = await times({ stiffness, more: [implicitSteps({ tolerance })] }, STEP_RATE * seconds, STEP_RATE);
  const { forwardS, backwardS, cpuS } = implicit;
  const speedup = explicitS / (forwardS + backwardS);
  line.push({ hz, speedup });
  print({
    bench: 'implicit',
    device: device.kind,
    tets,
    particles: explicit.particles,
    seconds,
    explicitHz: hz,
    stiffness,
    speedup,
    gradientOverForward: backwardS / forwardS,
    cpuSpeedup: explicitCpuS / cpuS,
    explicitS,
    explicitCpuS,
    forwardS,
    backwardS,
    cpuS,
    tolerance,
    peakMB: process.resourceUsage().maxRSS / 1e3,
    runs,
  });
}
const [slower, faster] = [line.findLast(({ speedup }) => speedup < 1), line.find(({ speedup }) => speedup >= 1)];
print({
  bench: 'implicit',
  device: device.kind,
  tets,
  leastHz: least,
  crossing: slower && faster ? [slower.hz, faster.hz] : null,
});
device.dispose();
