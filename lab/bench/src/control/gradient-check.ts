import type { Device } from '@gradsim/core';
import { createSimulation, f64Device } from '@gradsim/core';
import type { ControlTask, Goal } from '@gradsim/examples';
import { reachProblem } from '@gradsim/examples';
import type { FunctionLoss } from '@gradsim/optim';
import { randomNumbers } from '@gradsim/optim';

/** Fractions of the run after which the gradient is checked; the last one is the whole run. */
const HORIZON_SHARES = [1 / 16, 1 / 4, 1];
/** Step sizes of the central differences, along directions whose components are between -1 and 1. */
const STEPS = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7];

/** Comparison of the gradient along a direction with central differences, for the first part of a run. */
export interface GradientCheck {
  readonly substeps: number;
  readonly direction: number;
  /** Derivative of the loss along the direction, by the gradient. */
  readonly slope: number;
  /** Relative errors of the central differences for each of the steps ({@link STEPS}), and the smallest of them. */
  readonly error: number;
  readonly errors: readonly number[];
  readonly seconds: number;
}

/**
 * Compares the gradient of the image loss with respect to all weights with central differences in double precision,
 * along random directions.
 */
export async function* gradientChecks(
  task: ControlTask,
  goal: Goal,
  { directions, seed }: { readonly directions: number; readonly seed: number },
): AsyncGenerator<GradientCheck> {
  const { model, timeline, arrays } = task;
  const [loss] = reachProblem(task, goal, 'image', 0).losses as readonly FunctionLoss[];
  const all = timeline.substeps * (timeline.frames - 1);
  const rate = timeline.substeps * timeline.frameRate;
  const random = randomNumbers(seed);
  const device: Device = f64Device();
  for (const part of HORIZON_SHARES) {
    const substeps = Math.round(part * all);
    const run = { frames: 2, frameRate: rate / substeps, substeps };
    const parameters = arrays.map(({ field }) => field);
    const simulation = await createSimulation(model, {
      device,
      ...run,
      parameters,
      record: ['pixels.rgba'],
      onWarning: () => {},
    });
    const keys = parameters.map((field) => (typeof field === 'string' ? field : field.key));
    const from = await Promise.all(keys.map((key) => simulation.read(key)));
    for (let direction = 0; direction < directions; direction++) {
      const began = performance.now();
      const along = from.map((values) => values.map(() => 2 * random() - 1));
      const lossAt = async (step: number) => {
        keys.forEach((key, k) => {
          simulation.set(
            key,
            from[k].map((value, i) => value + step * along[k][i]),
          );
        });
        simulation.forward();
        return loss.evaluate({ rgba: await simulation.readFrames('pixels.rgba') }, { ...run, shapes: {} });
      };
      const { gradient } = await lossAt(0);
      simulation.backward({ 'pixels.rgba': Float64Array.from(gradient.rgba) });
      let slope = 0;
      for (const [k, key] of keys.entries()) {
        const own = await simulation.gradient(key);
        own.forEach((g, i) => {
          slope += g * along[k][i];
        });
      }
      const errors: number[] = [];
      for (const step of STEPS) {
        const [ahead, behind] = [(await lossAt(step)).value, (await lossAt(-step)).value];
        errors.push(Math.abs((ahead - behind) / (2 * step) / slope - 1));
      }
      const seconds = (performance.now() - began) / 1000;
      yield { substeps, direction, slope, error: Math.min(...errors), errors, seconds };
    }
    simulation.dispose();
  }
  device.dispose();
}
