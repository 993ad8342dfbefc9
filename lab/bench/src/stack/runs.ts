import type { Device, Scene } from '@gradsim/core';
import { buildModel, createSimulation } from '@gradsim/core';
import { BOWL, bowlScene, G, pileScene, SLOPE, slopeScene, stackScene } from './scenes.ts';

/** Frame rate, frames per second. */
const FRAME_RATE = 30;

/** Simulates a scene and returns its bodies' positions and velocities at the start and at the end. */
async function endStates(scene: Scene, device: Device, seconds: number, substeps: number) {
  const frames = seconds * FRAME_RATE + 1;
  const record = ['bodies.position', 'bodies.velocity'];
  const simulation = await createSimulation(buildModel(scene), {
    device,
    frames,
    frameRate: FRAME_RATE,
    substeps,
    record,
  });
  try {
    const { dt } = await simulation.stableStep();
    const start = performance.now();
    simulation.forward();
    const [x, v] = await Promise.all(record.map((field) => simulation.readFrames(field)));
    const runSeconds = (performance.now() - start) / 1000;
    const size = x.length / frames;
    const vectors = (all: ArrayLike<number>, from: number): number[][] =>
      Array.from({ length: size / 3 }, (_, b) => [0, 1, 2].map((axis) => all[from + 3 * b + axis]));
    const last = x.length - size;
    return {
      before: vectors(x, 0),
      after: vectors(x, last),
      speeds: vectors(v, last).map((one) => Math.hypot(...one)),
      substep: { dt: 1 / (FRAME_RATE * substeps), largestStable: dt, runSeconds },
    };
  } finally {
    simulation.dispose();
  }
}

const distanceBetween = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(...a.map((x, k) => x - b[k]));

/**
 * Measures the creep of a box on an incline, m/s, besides the closed form g sin(angle) / kf of a body of 1 kg with one
 * contact, and a quarter of it for four contacts.
 */
export async function creepOf(device: Device, seconds: number) {
  const { before, after, substep } = await endStates(slopeScene(), device, seconds, 48);
  const bound = (G * Math.sin(SLOPE.angle)) / SLOPE.material.kf;
  return {
    seconds,
    creep: distanceBetween(before[0], after[0]) / seconds,
    bound,
    ofFourCorners: bound / 4,
    ...substep,
  };
}

/** Measures how far the boxes of a stack move from their initial positions, horizontally and downwards, m. */
export async function driftOf(device: Device, seconds: number) {
  const { before, after, speeds, substep } = await endStates(stackScene(), device, seconds, 112);
  const across = before.map((x, k) => Math.hypot(x[0] - after[k][0], x[2] - after[k][2]));
  const down = before.map((x, k) => x[1] - after[k][1]);
  return {
    seconds,
    drift: Math.max(...across),
    sunk: Math.max(...down),
    fastest: Math.max(...speeds),
    ...substep,
  };
}

/** Measures the speed of the fastest of a hundred balls at the end, m/s, and how many left the bowl. */
export async function restOf(device: Device, seconds: number) {
  const { after, speeds, substep } = await endStates(bowlScene(), device, seconds, 64);
  const outside = after.filter((x) => Math.hypot(...x) > BOWL.inside - BOWL.radius + 0.01).length;
  return { seconds, fastest: Math.max(...speeds), outside, ...substep };
}

/** Measures the times of a substep, forward and backward, ms, each the minimum of three. */
export async function pileTimes(
  device: Device,
  {
    shape,
    bodies,
    substeps,
  }: { readonly shape: 'balls' | 'boxes'; readonly bodies: number; readonly substeps: number },
) {
  const simulation = await createSimulation(buildModel(pileScene(shape, bodies)), {
    device,
    frames: 3,
    frameRate: 3600 / substeps,
    substeps: substeps / 2,
    parameters: ['bodies.mass'],
    outputs: ['bodies.position'],
  });
  try {
    const seed = new Float64Array(3 * bodies).fill(1);
    let [forward, backward] = [Infinity, Infinity];
    for (let run = 0; run < 3; run++) {
      const start = performance.now();
      simulation.forward();
      await simulation.read('bodies.position');
      const middle = performance.now();
      simulation.backward({ 'bodies.position': seed });
      await simulation.gradient('bodies.mass');
      forward = Math.min(forward, middle - start);
      backward = Math.min(backward, performance.now() - middle);
    }
    return { forwardMs: forward / substeps, backwardMs: backward / substeps };
  } finally {
    simulation.dispose();
  }
}
