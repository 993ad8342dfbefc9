import { Link } from '@gradsim/articulated';
import { standardNormal } from '@gradsim/base';
import type { Device } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { randomNumbers } from '@gradsim/optim';
import type { Weights } from './pendulum.ts';
import { angleController, pendulumModel } from './pendulum.ts';
import { CONTROL_RATE, SUBSTEPS_PER_CONTROL } from './rods.ts';
import type { Start } from './starts.ts';
import { hangingStart, start } from './starts.ts';

/**
 * Number of observed runs of the teacher from hanging, and their duration, s: long enough to reach the top and stay
 * there.
 */
const [RUNS, DURATION] = [32, 8];
/**
 * Standard deviations of the noise added to angles, rad, and rates, rad/s: the controller in training deviates from its
 * teacher.
 */
const NOISE = [0.1, 0.5] as const;

/**
 * States that the controller by angles visits during swing-ups, with noise added: starts for training the controller by
 * pictures.
 */
export async function statesVisitedBy(
  weights: Weights,
  device: Device,
  seed: number,
): Promise<(random: () => number) => Start> {
  const frames = DURATION * CONTROL_RATE + 1;
  const random = randomNumbers(seed);
  const begun = Array.from({ length: RUNS }, () => hangingStart(random));
  const keys = [Link.coordinate.key, Link.rate.key];
  const simulation = await createSimulation(pendulumModel([angleController(weights)]), {
    device,
    worlds: RUNS,
    frames,
    frameRate: CONTROL_RATE,
    substeps: SUBSTEPS_PER_CONTROL,
    record: keys,
    onWarning: () => {},
  });
  try {
    for (const key of keys)
      simulation.set(
        key,
        begun.flatMap((own) => Array.from(own[key])),
      );
    simulation.forward();
    const [angles, rates] = await Promise.all(keys.map((key) => simulation.readFrames(key)));
    return (draw) => {
      const at = 2 * Math.floor(draw() * frames * RUNS);
      const near = (states: Float64Array, deviation: number): number[] =>
        [0, 1].map((joint) => states[at + joint] + deviation * standardNormal(draw));
      return start(near(angles, NOISE[0]), near(rates, NOISE[1]));
    };
  } finally {
    simulation.dispose();
  }
}
