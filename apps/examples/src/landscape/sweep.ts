import type { Device, FieldKey, Model } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { Pixel } from '@gradsim/render';

/** Values that a field takes in turn, the same for all elements, while all other fields have their true values. */
export interface Sweep {
  readonly field: FieldKey;
  readonly values: readonly number[];
}

/** Losses of a sweep, `[frame][value]`: the mean squared difference in red, green and blue from the true film. */
export type SweepLosses = readonly (readonly number[])[];

/**
 * Loss landscapes along lines: differences of a model's film from the film at its true values while single fields sweep
 * over ranges. All points of all sweeps and the truth are worlds of one batch, computed by one forward run.
 *
 * @returns the losses of each sweep.
 */
export async function sweepLosses(
  model: Model,
  timeline: { readonly frames: number; readonly frameRate: number; readonly substeps: number },
  sweeps: readonly Sweep[],
  device: Device,
): Promise<SweepLosses[]> {
  const worlds = 1 + sweeps.reduce((sum, { values }) => sum + values.length, 0);
  const simulation = await createSimulation(model, { device, ...timeline, worlds, record: [Pixel.rgba] });
  try {
    let world = 1;
    for (const sweep of sweeps) {
      const { size } = model.domain(model.field(sweep.field).domain);
      for (const value of sweep.values) simulation.set(sweep.field, new Float64Array(size).fill(value), world++);
    }
    simulation.forward();
    const { words, values, frameStride, valueStride, worldStride } = await simulation.readRecord(Pixel.rgba);
    // Components of a field lie one after another, and alpha is not in a film.
    const colors = (values / 4) * 3;
    const loss = (frame: number, at: number): number => {
      let sum = 0;
      for (let k = 0; k < colors; k++) {
        const from = frame * frameStride + k * valueStride;
        sum += (words[from + at * worldStride] - words[from]) ** 2;
      }
      return sum / colors;
    };
    let first = 1;
    return sweeps.map((sweep) => {
      const own = first;
      first += sweep.values.length;
      return Array.from({ length: timeline.frames }, (_, frame) => sweep.values.map((_, k) => loss(frame, own + k)));
    });
  } finally {
    simulation.dispose();
  }
}

/** Mean losses over the given frames, divided by the largest of them. */
export function normalised(losses: SweepLosses, frames: readonly number[]): number[] {
  const sums = losses[0].map((_, k) => frames.reduce((sum, frame) => sum + losses[frame][k], 0));
  const largest = Math.max(...sums);
  return sums.map((sum) => sum / largest);
}
