import type { GoalImage } from '@gradsim/control';
import { goalCentre, goalImages } from '@gradsim/control';
import type { Device } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import type { Problem } from '@gradsim/optim';
import { layoutOf, toRows } from '@gradsim/render';
import type { ControlTask } from './task.ts';

/** What is to be reached: a picture of the object at the goal, and where its centre of mass is there, m. */
export interface Goal {
  readonly image: GoalImage;
  /** The colours of the picture, [y][x][channel], for reports. */
  readonly rgb: Float32Array;
  readonly centre: readonly number[];
}

/** Takes the picture of the object at the goal. */
export async function goalOf({ model, timeline, atGoal }: ControlTask, device: Device): Promise<Goal> {
  const { values, frames } = await atGoal(device);
  const record = ['pixels.rgba', 'world.centre'];
  const simulation = await createSimulation(model, {
    device,
    ...timeline,
    frames,
    record,
    onWarning: () => {},
  });
  try {
    for (const [field, given] of Object.entries(values)) simulation.set(field, given);
    simulation.forward();
    const layout = layoutOf(model);
    const { width, height, pixels } = layout;
    const last = (await simulation.readFrames('pixels.rgba')).slice(-4 * pixels);
    const rows = toRows(layout, last, 4);
    const of = (pixel: number, c: number): number => Math.min(Math.max(rows[4 * pixel + c], 0), 1);
    return {
      image: { width, height, alpha: Float64Array.from({ length: width * height }, (_, k) => of(k, 3)) },
      rgb: Float32Array.from({ length: 3 * width * height }, (_, k) => of(Math.floor(k / 3), k % 3)),
      centre: [...(await simulation.readFrames('world.centre')).slice(-3)],
    };
  } finally {
    simulation.dispose();
  }
}

/** What tells that the goal is not reached yet: the one picture, or the state, 3D supervision. */
export type Supervision = 'image' | 'state';

/** The problem of reaching a goal. `world.centre` is recorded in either case, for reports. */
export function reachProblem(
  { model, timeline, arrays }: ControlTask,
  goal: Goal,
  by: Supervision,
  iterations: number,
): Problem {
  const image = { frame: timeline.frames - 1, image: goal.image };
  return {
    ...{ model, ...timeline, arrays },
    losses:
      by === 'image'
        ? [goalImages(model, { images: [image] }), goalCentre(goal.centre, { weight: 0, name: 'centre' })]
        : [goalCentre(goal.centre)],
    options: { method: 'l-bfgs', iterations, attainable: 0, tolerance: 1e-9 },
  };
}

/**
 * The mean over x, y and z of the squared distance of the centre of mass from the goal, m^2, as in the published curves.
 *
 * @param centres `world.centre` of every frame; the last one counts.
 */
export function errorOf(centres: ArrayLike<number>, goal: Goal): number {
  const first = centres.length - 3;
  return goal.centre.reduce((sum, x, axis) => sum + (centres[first + axis] - x) ** 2, 0) / 3;
}
