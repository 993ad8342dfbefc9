import type { GoalImage } from '@gradsim/control';
import { goalImages, goalPosition, meanPosition } from '@gradsim/control';
import type { Device } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import type { Problem } from '@gradsim/optim';
import { layoutOf, Pixel, toRows } from '@gradsim/render';
import type { ControlTask } from './task.ts';

/** A target picture and the frame of the task's timeline at which it is compared. */
export interface GoalPicture {
  readonly frame: number;
  readonly image: GoalImage;
  /** Colours of the picture, [y][x][channel], for reports. */
  readonly rgb: Float32Array;
}

/** Goal of a control task: pictures of the object, and the position of its centre of mass in the last one. */
export interface Goal {
  /** Target pictures, ordered by time. */
  readonly pictures: readonly GoalPicture[];
  /** Position of the centre of mass in the last picture, m; null if unknown. */
  readonly centre: readonly number[] | null;
}

/** Renders the object at the goal, which becomes the target picture of the last frame. */
export async function goalOf({ model, timeline, atGoal }: ControlTask, device: Device): Promise<Goal> {
  const { values, frames } = await atGoal(device);
  const record = [Pixel.rgba, meanPosition];
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
    const last = (await simulation.readFrames(Pixel.rgba)).slice(-4 * pixels);
    const rows = toRows(layout, last, 4);
    const of = (pixel: number, c: number): number => Math.min(Math.max(rows[4 * pixel + c], 0), 1);
    const image = { width, height, alpha: Float64Array.from({ length: width * height }, (_, k) => of(k, 3)) };
    const rgb = Float32Array.from({ length: 3 * width * height }, (_, k) => of(Math.floor(k / 3), k % 3));
    return {
      pictures: [{ frame: timeline.frames - 1, image, rgb }],
      centre: [...(await simulation.readFrames(meanPosition)).slice(-3)],
    };
  } finally {
    simulation.dispose();
  }
}

/** Quantity that the loss compares with the goal: `image`, rendered pictures, or `state`, the position of the centre of mass. */
export type Supervision = 'image' | 'state';

/**
 * Optimisation problem of reaching a goal. `world.meanPosition` is recorded with either supervision, for reports.
 * @throws for the supervision `state` if the goal's position is unknown.
 */
export function reachProblem(
  { model, timeline, arrays, memory, remainder, penalties = [], within }: ControlTask,
  goal: Goal,
  by: Supervision,
  iterations: number,
): Problem {
  const { pictures, centre } = goal;
  if (by === 'state' && !centre)
    throw new Error(
      'The setting goal is "state", but where the centre of mass is in the target cannot be told from it: leave it out.',
    );
  const watched = goalPosition(centre ?? [0, 0, 0], { weight: 0, name: 'centre' });
  const images = goalImages(model, { images: pictures });
  const run = { ...timeline, shapes: {} };
  return {
    model,
    ...timeline,
    arrays,
    losses: [...(by === 'image' ? [images, watched] : [goalPosition(centre!)]), ...penalties],
    // Where the centre is to be is not always known; the loss is.
    goal: centre
      ? { field: meanPosition, distance: (at) => errorOf(at, goal)!, within, unit: 'm^2' }
      : {
          field: Pixel.rgba,
          distance: async (rgba) => (await images.evaluate({ rgba }, run)).value,
          within: { ofStart: 0.01 },
        },
    options: { memory, search: { method: 'l-bfgs', iterations, attainable: 0, tolerance: 1e-9, remainder } },
  };
}

/**
 * Mean over x, y and z of the squared distance of the centre of mass from the goal, m^2, as in the published curves;
 * null if the goal's position is unknown.
 *
 * @param centres `world.meanPosition` of every frame; the one in the frame of the last picture is compared.
 */
export function errorOf(centres: ArrayLike<number>, { centre, pictures }: Goal): number | null {
  const first = 3 * pictures[pictures.length - 1].frame;
  return centre && centre.reduce((sum, x, axis) => sum + (centres[first + axis] - x) ** 2, 0) / 3;
}
