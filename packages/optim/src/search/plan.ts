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

/** Handles by which a search is run and ended from outside. */
export interface SearchControls {
  readonly device: Device;
  readonly signal?: StopSignal;
  /**
   * Where the run writes down what it works out, and finds what an earlier one had. Default: nowhere. There are no
   * frames of iterations that it finds there.
   */
  readonly journal?: Journal;
}

/** Reads every frame of a recorded field, as the last run of the best start shows it. */
export type ShowFrames = (field: string) => Promise<Float64Array>;

/** Parts of an iteration that only some methods have. */
export interface IterationNotes {
  /** The length that the longest gradient of a start had, in natural steps, where {@link SearchOptions.clip} shortened it. */
  readonly clipped?: number;
  /** Of worlds: how many did not count, since their runs or gradients were not finite; not there where all did. */
  readonly exploded?: number;
  /** Of problems with a goal and methods that follow gradients: how far the best start so far is from it. */
  readonly distance?: number;
}

/** A run, and what is to be small in it. */
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
  /** By unknown, 1 once it has had a gradient. */
  readonly moved: Uint8Array;
}

/** A horizon of a problem made ready: all that a search over it, and what is inferred at its end, go by. */
export interface Plan extends PlanBasis, Compared {
  /** All frames of the problem, of which this horizon is a part: simulations are made for them, and run up to its end. */
  readonly whole: Compared;
  readonly goal?: GoalSpec;
  readonly worlds?: Worlds;
  /** Makes the same with few frames, for comparing many points roughly. */
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
 * Opens a simulation for derivatives of all that is compared, or takes over the one that was kept. It has all frames of the
 * problem: `forward({ frames })` runs those of the plan.
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
