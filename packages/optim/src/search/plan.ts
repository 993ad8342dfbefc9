import type { Device, Simulation, StopSignal } from '@gradsim/core';
import { fieldsWithDerivatives } from '../objective/dead-unknowns.ts';
import { Objective } from '../objective/objective.ts';
import { coarse } from '../problem/fewer-frames.ts';
import { keyOf } from '../problem/field-key.ts';
import type { GoalSpec } from '../problem/goal.ts';
import type { FullOptions } from '../problem/options.ts';
import type { Problem } from '../problem/problem.ts';
import type { Run } from '../problem/run.ts';
import { open } from '../problem/run.ts';
import type { Worlds } from '../problem/worlds.ts';
import { columnsFor } from '../unknowns/columns.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { Journal } from './journal.ts';
import type { Simulations } from './simulations.ts';

/** Controls by which the caller runs and ends a search. */
export interface SearchControls {
  readonly device: Device;
  readonly signal?: StopSignal;
  /**
   * Journal in which the run records its results, and finds those of an earlier one. Default: none. Recorded iterations
   * have no frames to show.
   */
  readonly journal?: Journal;
}

/** Reads every frame of a recorded field, from the last run of the best start. */
export type ShowFrames = (field: string) => Promise<Float64Array>;

/** Parts of an iteration that only some methods have. */
export interface IterationNotes {
  /**
   * Original length of the longest gradient of a start, in natural steps, if {@link SearchOptions.clip} shortened it.
   */
  readonly clipped?: number;
  /** Number of worlds that did not count, since their runs or gradients were not finite; absent if all did. */
  readonly exploded?: number;
  /** Distance of the best start so far from the goal, for problems with one and gradient methods. */
  readonly distance?: number;
}

/** A run and its objective. */
export interface Compared {
  readonly run: Run;
  readonly objective: Objective;
}

/** Parts of a plan that all horizons of a problem have in common. */
export interface PlanBasis {
  readonly unknowns: Unknowns;
  readonly options: FullOptions;
  readonly controls: SearchControls;
  readonly simulations: Simulations;
  readonly report: (loss: number, x: Float64Array, show: ShowFrames, notes?: IterationNotes) => Promise<void>;
  /** Flags by unknown: 1 once it has had a gradient. */
  readonly moved: Uint8Array;
}

/** A prepared horizon of a problem: everything that its search and inference use. */
export interface Plan extends PlanBasis, Compared {
  /**
   * All frames of the problem, of which this horizon is a part: simulations are created for them, and run up to its
   * end.
   */
  readonly whole: Compared;
  readonly goal?: GoalSpec;
  readonly worlds?: Worlds;
  /** Makes a version with few frames, for comparing many points roughly. */
  readonly few: () => Compared;
}

/**
 * Makes a plan of a problem whose objective is known.
 * @param whole all frames, where the problem is the first part of another.
 */
export function planOf(problem: Problem, objective: Objective, basis: PlanBasis, whole?: Compared): Plan {
  const { goal, worlds } = problem;
  const own: Compared = { run: problem, objective };
  return {
    ...basis,
    ...own,
    whole: whole ?? own,
    goal,
    worlds,
    few: () => {
      const few = coarse(problem);
      return few === problem ? own : { run: few, objective: new Objective(few, basis.unknowns) };
    },
  };
}

/**
 * Opens a simulation with derivatives for all comparisons, or reuses the kept one. It has all frames of the problem:
 * `forward({ frames })` runs those of the plan.
 * @param points that run at once: worlds for adjoints; with tangents along all unknowns they have as many as `columnsFor` says.
 * @param parts ranges of elements that the residuals of each frame are summed over.
 */
export const simulate = (
  { whole: { run, objective }, unknowns, goal, options, controls, simulations }: Plan,
  derivative: 'tangent' | 'adjoint',
  points: number,
  parts = 1,
): Promise<Simulation> =>
  simulations.take({ run, derivative, points, parts }, () => {
    const isAlong = derivative === 'tangent';
    const { worlds, tangents } = isAlong ? columnsFor(unknowns.count, points) : { worlds: 1, tangents: 1 };
    return open(run, {
      device: controls.device,
      memory: options.memory,
      record: [...new Set([...objective.fields, ...(goal ? [keyOf(goal.field)] : [])])],
      parameters: fieldsWithDerivatives(run.model, unknowns, objective.fields),
      derivative,
      worlds: points * worlds,
      tangents,
      comparisons: {
        of: objective.comparisons,
        columns: isAlong ? unknowns.count : 1,
        worldsOfRun: worlds,
        parts,
      },
    });
  });
