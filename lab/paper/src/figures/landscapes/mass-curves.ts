import { secondsSince } from '@gradsim/baselines';
import { selectDevice } from '@gradsim/core';
import type { LossCurve } from '@gradsim/examples';
import { massLandscape } from '@gradsim/examples';

/** Number of masses at which a landscape is computed: 0.1 to 5 kg in steps of 0.05 kg, the truth among them. */
const MASSES = 99;

/** Result of a trial: losses over the mass, by the frames that count, in the order of `curves`. */
export interface MassFound {
  readonly truth: number;
  readonly curves: readonly LossCurve[];
  /** Processor time, s. */
  readonly seconds: number;
}

/** Computes the loss landscapes over the mass of a box, for the push that the seed draws. */
export async function massCurves(seed: number): Promise<MassFound> {
  const device = await selectDevice('cpu', { threads: 1 });
  try {
    const began = process.cpuUsage();
    const { truth, curves } = await massLandscape(device, MASSES, seed);
    return { truth, curves, seconds: secondsSince(began) };
  } finally {
    device.dispose();
  }
}
