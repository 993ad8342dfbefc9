import type { Device, Model } from '@gradsim/core';
import type { ArraySpec, GoalSpec, Loss } from '@gradsim/optim';

export interface Timeline {
  readonly frames: number;
  readonly frameRate: number;
  readonly substeps: number;
}

/** A task with a goal, reached by actuation or by the initial velocity. */
export interface ControlTask {
  readonly name: string;
  /** Model with random initial weights, drawn from the seed. */
  readonly model: Model;
  /** Timelines of the run without intermediate frames, and with 30 frames a second. */
  readonly timeline: Timeline;
  readonly film: Timeline;
  /** Unknowns of the task. */
  readonly arrays: readonly ArraySpec[];
  /** Error at which the goal counts as reached, m^2: see `errorOf`. */
  readonly within: GoalSpec['within'];
  /** Share of the gain that may remain on the first line of the search: see the option of that name. */
  readonly remainder?: number;
  /** Losses in addition to the distance from the goal. */
  readonly penalties?: readonly Loss[];
  /** Memory budget of the tape, bytes, if rerunning no substep needs more than the default. */
  readonly memory?: number;
  /** A run whose last frame shows the object at the goal: field values, and number of frames. */
  readonly atGoal: (device: Device) => Promise<GoalRun>;
}
export interface GoalRun {
  readonly values: Readonly<Record<string, ArrayLike<number>>>;
  readonly frames: number;
}

export interface TaskOptions {
  readonly seed: number;
  /** Width and height of pictures, in pixels. */
  readonly size: number;
  /** Weight of the cost of activations, and of changes of a surface's area. Default 0. */
  readonly penalty?: number;
}

/** Timelines of a duration, s, at a number of substeps a second. */
export function timelines(seconds: number, rate: number): Pick<ControlTask, 'timeline' | 'film'> {
  return {
    timeline: { frames: 2, frameRate: 1 / seconds, substeps: seconds * rate },
    film: { frames: 1 + 30 * seconds, frameRate: 30, substeps: rate / 30 },
  };
}

/** Points translated so that their mean has the given position. */
export function movedTo(positions: ArrayLike<number>, goal: readonly number[]): Float64Array {
  const from = [0, 0, 0];
  for (let k = 0; k < positions.length; k++) from[k % 3] += (3 * positions[k]) / positions.length;
  return Float64Array.from(positions, (x, k) => x + goal[k % 3] - from[k % 3]);
}
