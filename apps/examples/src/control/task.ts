import type { Device, Model } from '@gradsim/core';
import type { ArraySpec, GoalSpec, Loss } from '@gradsim/optim';

export interface Timeline {
  readonly frames: number;
  readonly frameRate: number;
  readonly substeps: number;
}

/** Something to be brought to a goal, by what drives it or by how it is thrown. */
export interface ControlTask {
  readonly name: string;
  /** Begins with random weights, of the seed. */
  readonly model: Model;
  /** From the start to the end without pictures in between, and with 30 a second. */
  readonly timeline: Timeline;
  readonly film: Timeline;
  /** Unknowns. */
  readonly arrays: readonly ArraySpec[];
  /** The error at which its goal counts as reached, m^2: see `errorOf`. */
  readonly within: GoalSpec['within'];
  /** Share of the gain that may remain on the first line of the search: see the option of that name. */
  readonly remainder?: number;
  /** Losses beside the distance from the goal. */
  readonly penalties?: readonly Loss[];
  /** Bytes for the history of a run, where it takes more than the usual to run no substep twice. */
  readonly memory?: number;
  /** A run whose last frame shows the object at the goal: values of fields, and how many frames. */
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

/** A run of so many seconds, at so many substeps a second. */
export function timelines(seconds: number, rate: number): Pick<ControlTask, 'timeline' | 'film'> {
  return {
    timeline: { frames: 2, frameRate: 1 / seconds, substeps: seconds * rate },
    film: { frames: 1 + 30 * seconds, frameRate: 30, substeps: rate / 30 },
  };
}

/** Points moved so that their mean is somewhere. */
export function movedTo(positions: ArrayLike<number>, goal: readonly number[]): Float64Array {
  const from = [0, 0, 0];
  for (let k = 0; k < positions.length; k++) from[k % 3] += (3 * positions[k]) / positions.length;
  return Float64Array.from(positions, (x, k) => x + goal[k % 3] - from[k % 3]);
}
