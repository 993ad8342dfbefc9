import type { Device, Model } from '@gradsim/core';
import type { ArraySpec, GoalSpec, Loss } from '@gradsim/optim';

export interface Timeline {
  readonly frames: number;
  readonly frameRate: number;
  readonly substeps: number;
}

/** A task of control: to reach a goal by actuation or by the choice of the initial velocity. */
export interface ControlTask {
  readonly name: string;
  /** Model with random initial weights, drawn from the seed. */
  readonly model: Model;
  /** Timelines of the same run: `timeline` with the first and last frame only, `film` with 30 frames per second. */
  readonly timeline: Timeline;
  readonly film: Timeline;
  /** Arrays of unknowns that are optimised. */
  readonly arrays: readonly ArraySpec[];
  /** Mean squared error of the position at which the goal counts as reached, m^2, see `errorOf`. */
  readonly within: GoalSpec['within'];
  /**
   * Fraction of the attainable gain that may remain when the first line search ends: the search's option `remainder`.
   */
  readonly remainder?: number;
  /** Losses added to that of the distance from the goal. */
  readonly penalties?: readonly Loss[];
  /**
   * Memory budget of the tape, bytes, if keeping all states, so that no substep is rerun, needs more than the default.
   */
  readonly memory?: number;
  /** Returns a run whose last frame shows the object at the goal: initial field values, and number of frames. */
  readonly atGoal: (device: Device) => Promise<GoalRun>;
}
export interface GoalRun {
  readonly values: Readonly<Record<string, ArrayLike<number>>>;
  readonly frames: number;
}

export interface TaskOptions {
  readonly seed: number;
  /** Width, and also height, of the pictures, px. */
  readonly size: number;
  /** Weight in the loss of activations and of changes of a surface's area; default 0. */
  readonly penalty?: number;
}

/** Timelines of a run of a duration, s, with a number of substeps per second. */
export function timelines(seconds: number, rate: number): Pick<ControlTask, 'timeline' | 'film'> {
  return {
    timeline: { frames: 2, frameRate: 1 / seconds, substeps: seconds * rate },
    film: { frames: 1 + 30 * seconds, frameRate: 30, substeps: rate / 30 },
  };
}

/** Points translated so that their mean has the given position. */
export function poseAtGoal(positions: ArrayLike<number>, goal: readonly number[]): Float64Array {
  const from = [0, 0, 0];
  for (let k = 0; k < positions.length; k++) from[k % 3] += (3 * positions[k]) / positions.length;
  return Float64Array.from(positions, (x, k) => x + goal[k % 3] - from[k % 3]);
}
