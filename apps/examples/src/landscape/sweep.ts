import type { Device, FieldKey, Model } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { Pixel } from '@gradsim/render';

/** Values that a field takes in turn, the same for all elements, while all other fields have their true values. */
export interface Sweep {
  readonly field: FieldKey;
  readonly values: readonly number[];
}

interface Timeline {
  readonly frames: number;
  readonly frameRate: number;
  readonly substeps: number;
}

/** Losses of a sweep, `[frame][value]`: the mean squared difference in red, green and blue from the true film. */
export type SweepLosses = readonly (readonly number[])[];

/** Values of fields, each the same for all elements, that a world has instead of the true ones. */
export type Point = readonly { readonly field: FieldKey; readonly value: number }[];

/**
 * Loss landscapes along lines: single fields sweep over ranges.
 *
 * @returns the losses of each sweep.
 */
export async function sweepLosses(
  model: Model,
  timeline: Timeline,
  sweeps: readonly Sweep[],
  device: Device,
): Promise<SweepLosses[]> {
  const points = sweeps.flatMap(({ field, values }) => values.map((value): Point => [{ field, value }]));
  const losses = await pointLosses(model, timeline, points, device);
  let first = 0;
  return sweeps.map(({ values }) => {
    const from = first;
    first += values.length;
    return losses.map((ofFrame) => ofFrame.slice(from, from + values.length));
  });
}

/**
 * Differences of a model's film at the given points from the film at its true values. All points and the truth are
 * worlds of one batch, computed by one forward run.
 *
 * @returns `[frame][point]`.
 */
export async function pointLosses(
  model: Model,
  timeline: Timeline,
  points: readonly Point[],
  device: Device,
): Promise<SweepLosses> {
  const worlds = 1 + points.length;
  const simulation = await createSimulation(model, { device, ...timeline, worlds, record: [Pixel.rgba] });
  try {
    points.forEach((point, k) => {
      for (const { field, value } of point) {
        const { size } = model.domain(model.field(field).domain);
        simulation.set(field, new Float64Array(size).fill(value), 1 + k);
      }
    });
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
    return Array.from({ length: timeline.frames }, (_, frame) => points.map((_, k) => loss(frame, 1 + k)));
  } finally {
    simulation.dispose();
  }
}

/** Mean losses over the given frames, divided by the largest of them. */
export function normalisedLosses(losses: SweepLosses, frames: readonly number[]): number[] {
  const sums = losses[0].map((_, k) => frames.reduce((sum, frame) => sum + losses[frame][k], 0));
  const largest = Math.max(...sums);
  return sums.map((sum) => sum / largest);
}
