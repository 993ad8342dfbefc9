import { fasterClock } from '@gradsim/core';
import type { JacobianSample } from '../objective/jacobian-sample.ts';
import { fillShownEvery } from '../objective/prepared-observation.ts';
import type { Plan } from '../plan/plan.ts';
import { open } from '../problem/run.ts';
import { RunFailure } from '../unknowns/run-failure.ts';

/** Time by which the last frame is moved, in frames: edges then move by little of their width, and far more than by rounding. */
const CLOCK_SHIFT = 0.002;

/**
 * Change of the kept values of each frame by a relative error of the frame rate, t dy/dt, from a run at a lower rate.
 * Differences between frames are no derivatives where something moves by more than the width of its edge in a frame.
 *
 * @returns undefined if there is a single frame, or if that run fails.
 */
export async function clockColumns(
  { run, objective, unknowns, options, controls }: Plan,
  x: Float64Array,
  { modelOutput, stride }: JacobianSample,
): Promise<Float32Array[] | undefined> {
  if (run.frames < 2) return undefined;
  const error = CLOCK_SHIFT / (run.frames - 1);
  const slower = await open(
    { ...run, ...fasterClock(run, 1 - error) },
    { device: controls.device, memory: options.memory, record: objective.fields, derivative: 'none' },
  );
  try {
    unknowns.apply(slower, [x]);
    slower.forward();
    const columns: Float32Array[] = [];
    for (const p of objective.residuals!.prepared) {
      const record = await RunFailure.whileReading(slower.readRecord(p.field));
      for (let f = 0; f < p.frames.length; f++) {
        const here = modelOutput[columns.length];
        const column = new Float32Array(here.length);
        fillShownEvery(column, p, { record, world: 0, f }, stride);
        fillChange(column, here, error);
        columns.push(column);
      }
    }
    return columns;
  } catch (error) {
    if (error instanceof RunFailure) return undefined;
    throw error;
  } finally {
    slower.dispose();
  }
}

/** Replaces values by their differences from others, divided by a step. */
function fillChange(values: Float32Array, from: Float32Array, step: number): void {
  for (let k = 0; k < values.length; k++) values[k] = (values[k] - from[k]) / step;
}
