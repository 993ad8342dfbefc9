import { meanPosition } from '@gradsim/control';
import type { Device } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { Particle } from '@gradsim/particles';
import { layoutOf, Pixel, toRows } from '@gradsim/render';
import { HEIGHT } from '../gear-task.ts';
import { poseAtGoal } from '../task.ts';
import { goal, IMAGE, reachingGear } from './policy.ts';

/** Field values of one world: the image of its goal, and the goal's position, m. */
export type GoalWorld = Readonly<Record<string, ArrayLike<number>>>;

/** Number of substeps per second. */
const RATE = 1920;

/**
 * Renders, for each position `xs` along x, m, the gear at rest there on the ground: returns the picture and the
 * position of its centre of mass.
 */
export async function goalsAt(xs: readonly number[], device: Device): Promise<GoalWorld[]> {
  const { model, positions } = reachingGear(1, { 'reachSight0Weights.weight': new Float64Array(16 * 1152) });
  const resting = await settledGear(poseAtGoal(positions, [0, HEIGHT, 0]), device);
  const options = { device, worlds: xs.length, frames: 1, frameRate: 30, substeps: RATE / 30 };
  const simulation = await createSimulation(model, {
    ...options,
    record: [Pixel.rgba, meanPosition],
    onWarning: () => {},
  });
  try {
    simulation.set(
      Particle.position,
      xs.flatMap((x) => Array.from(resting, (value, k) => (k % 3 === 0 ? value + x : value))),
    );
    simulation.forward();
    const layout = layoutOf(model);
    const rgba = await simulation.readFrames(Pixel.rgba);
    const centres = await simulation.readFrames(meanPosition);
    const { pixels } = layout;
    return xs.map((_, w) => {
      const rows = toRows(layout, rgba.slice(4 * w * pixels, 4 * (w + 1) * pixels), 4);
      return {
        [IMAGE]: Float64Array.from({ length: pixels }, (_, k) => rows[4 * k + 3]),
        [goal.key]: centres.slice(3 * w, 3 * w + 3),
      };
    });
  } finally {
    simulation.dispose();
  }

  /** Positions of the particles, m, after a run that leaves the gear at rest on the ground, without actuation. */
  async function settledGear(from: ArrayLike<number>, on: Device): Promise<Float64Array> {
    const run = await createSimulation(model, {
      device: on,
      frames: 2,
      frameRate: 1 / 3,
      substeps: 3 * RATE,
      onWarning: () => {},
    });
    try {
      run.set(Particle.position, from);
      run.set(Particle.velocity, new Float64Array(from.length));
      run.forward();
      return await run.read(Particle.position);
    } finally {
      run.dispose();
    }
  }
}
