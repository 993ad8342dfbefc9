import type { Device } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { timesMs } from './options.ts';
import { TOSSED, tossedBoxes, tossedSeeds } from './tossed-box.ts';

/** Settings for timing tossed boxes. */
export interface TossRun {
  readonly device: Device;
  readonly frames: number;
  readonly substeps: number;
  readonly worlds: number;
  /** Number of timed runs with one world; with W worlds it is divided by the square root of W. */
  readonly runs: number;
}

/** Measures forward and backward runs of tossed boxes, one per world, ms. */
export async function tossTimes({ runs, worlds, ...rest }: TossRun) {
  const simulation = await createSimulation(tossedBoxes(1), { ...TOSSED, ...rest, worlds, memory: 2e9 });
  const seeds = tossedSeeds(worlds);
  const count = Math.ceil(runs / Math.sqrt(worlds));
  const forward = await timesMs(count, 5, () => {
    simulation.forward();
    return simulation.finished();
  });
  const backward = await timesMs(count, 5, () => {
    simulation.backward(seeds);
    return simulation.finished();
  });
  simulation.dispose();
  return { forward, backward };
}
