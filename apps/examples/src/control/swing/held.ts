import { Link } from '@gradsim/articulated';
import { median } from '@gradsim/base';
import type { Device, Model } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { randomNumbers } from '@gradsim/optim';
import type { Weights } from './pendulum.ts';
import { CONTROL_RATE, LENGTH, SUBSTEPS_PER_CONTROL } from './rods.ts';
import { hangingStart } from './starts.ts';

/** Duration of a test run, s. */
export const DURATION = 15;
const [FROM, NEAR] = [10, 0.1];
/** First seed of the test starts: larger than all seeds of training. */
export const UNSEEN_SEED = 1e6;

export interface HeldUpright {
  /** Number of test starts, and (`held`) number of those from which the tip stayed near the top. */
  readonly unseen: number;
  readonly held: number;
  /** Median over all starts of {@link distances}, m. */
  readonly medianDistance: number;
  /** For each start, the largest distance of the tip from the top during the last part of the run, m. */
  readonly distances: readonly number[];
}

/** Runs a controller from the test starts, and counts those from which it swings the pendulum up and holds it. */
export async function heldUprightOf(
  model: Model,
  weights: Weights,
  { device, unseen = 50, seed = 1 }: { readonly device: Device; readonly unseen?: number; readonly seed?: number },
): Promise<HeldUpright> {
  const random = randomNumbers(UNSEEN_SEED + seed);
  const starts = Array.from({ length: unseen }, () => hangingStart(random));
  const simulation = await createSimulation(model, {
    device,
    worlds: unseen,
    frames: DURATION * CONTROL_RATE + 1,
    frameRate: CONTROL_RATE,
    substeps: SUBSTEPS_PER_CONTROL,
    record: [Link.coordinate],
    onWarning: () => {},
  });
  try {
    for (const key of [Link.coordinate.key, Link.rate.key])
      simulation.set(
        key,
        starts.flatMap((start) => Array.from(start[key])),
      );
    for (const [key, values] of Object.entries(weights)) setEverywhere(simulation, model, key, values, unseen);
    simulation.forward();
    const angles = await simulation.readFrames(Link.coordinate);
    const distances = starts.map((_, w) => {
      let farthest = 0;
      for (let frame = FROM * CONTROL_RATE; frame <= DURATION * CONTROL_RATE; frame++) {
        const [q1, q2] = angles.slice(2 * (frame * unseen + w), 2 * (frame * unseen + w) + 2);
        const x = LENGTH * (Math.sin(q1) + Math.sin(q1 + q2));
        const y = -LENGTH * (Math.cos(q1) + Math.cos(q1 + q2));
        farthest = Math.max(farthest, Math.hypot(x, y - 2 * LENGTH));
      }
      return farthest;
    });
    return {
      unseen,
      distances,
      held: distances.filter((distance) => distance < NEAR).length,
      medianDistance: median(distances),
    };
  } finally {
    simulation.dispose();
  }
}

/** Sets a field, by key, to the same values in all of `worlds` worlds. */
function setEverywhere(
  simulation: { readonly set: (key: string, values: ArrayLike<number>) => void },
  model: Model,
  key: string,
  values: ArrayLike<number>,
  worlds: number,
): void {
  const copies = model.field(key).shared ? 1 : worlds;
  simulation.set(
    key,
    Float64Array.from({ length: copies * values.length }, (_, k) => values[k % values.length]),
  );
}
