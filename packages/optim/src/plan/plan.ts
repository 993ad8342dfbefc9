import type { Device, Simulation, StopSignal } from '@gradsim/core';
import { fieldsWithDerivatives } from '../objective/dead-unknowns.ts';
import { partsOf } from '../objective/frame-parts.ts';
import { Objective } from '../objective/objective.ts';
import type { IterationNotes } from '../posterior/found.ts';
import { withFewerFrames } from '../problem/fewer-frames.ts';
import { keyOf } from '../problem/field-key.ts';
import type { GoalSpec } from '../problem/goal.ts';
import type { FullOptions } from '../problem/options.ts';
import type { Problem } from '../problem/problem.ts';
import type { Run } from '../problem/run.ts';
import { open } from '../problem/run.ts';
import type { Worlds } from '../problem/worlds.ts';
import { columnsFor, sizeOn } from '../unknowns/columns.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { Journal } from './journal.ts';
import type { SimulationPool } from './simulation-pool.ts';

/** Device, interrupt and journal of a search. */
export interface SearchControls {
  readonly device: Device;
  readonly signal?: StopSignal;
  /**
   * Journal in which the run records its results and from which it resumes. Default: none. Iterations that are read
   * from the journal have no frames to show.
   */
  readonly journal?: Journal;
}

/** Reads all frames of a recorded field from the last run of the best start. */
export type ShowFrames = (field: string) => Promise<Float64Array>;

/** A run, and the objective that is evaluated on it. */
export interface Compared {
  readonly run: Run;
  readonly objective: Objective;
}

/** Parts of a plan that all horizons of a problem share. */
export interface PlanBasis {
  readonly unknowns: Unknowns;
  readonly options: FullOptions;
  readonly controls: SearchControls;
  readonly simulations: SimulationPool;
  readonly report: (loss: number, x: Float64Array, show: ShowFrames, notes?: IterationNotes) => Promise<void>;
  /** For each unknown, 1 once it has had a nonzero gradient. */
  readonly hadGradient: Uint8Array;
}

/** A prepared horizon of a problem, with everything that its search and inference need. */
export interface Plan extends PlanBasis, Compared {
  /**
   * Run and objective of all frames of the problem: simulations are created for all frames, and run up to the end of
   * this horizon.
   */
  readonly allFrames: Compared;
  readonly goal?: GoalSpec;
  readonly worlds?: Worlds;
  /** Relative standard deviation of the frame rate. */
  readonly clockTolerance?: number;
  /** Makes a version with few frames, to compare many points roughly. */
  readonly fewFrames: () => Compared;
}

/**
 * Makes the plan of a problem from its objective.
 * @param allFrames run and objective of all frames, if the problem is restricted to its first part.
 */
export function planOf(problem: Problem, objective: Objective, basis: PlanBasis, allFrames?: Compared): Plan {
  const { goal, worlds, clockTolerance } = problem;
  const own: Compared = { run: problem, objective };
  return {
    ...basis,
    ...own,
    allFrames: allFrames ?? own,
    goal,
    worlds,
    clockTolerance,
    fewFrames: () => {
      const few = withFewerFrames(problem);
      return few === problem ? own : { run: few, objective: new Objective(few, basis.unknowns) };
    },
  };
}

/**
 * Opens a simulation with derivatives and all comparisons, or reuses the one in the pool. It is created for all frames
 * of the problem; `forward({ frames })` runs those of the plan. With tangents at a single point, it keeps the sums over parts
 * of frames apart: where a search ends, its last run serves the statistics.
 * @param points number of points run at once: one world each for adjoints; for tangents, as many as `columnsFor`
 * returns.
 */
export const simulate = (
  { allFrames: { run, objective }, unknowns, goal, options, controls, simulations }: Plan,
  derivative: 'tangent' | 'adjoint',
  points: number,
): Promise<Simulation> =>
  simulations.acquire({ run, derivative, points }, () => {
    const isAlong = derivative === 'tangent';
    const { device } = controls;
    const { worlds, tangents } = isAlong
      ? columnsFor(unknowns.count, points, sizeOn(device, run))
      : { worlds: 1, tangents: 1 };
    return open(run, {
      device,
      memory: options.memory,
      record: [...new Set([...objective.fields, ...(goal ? [keyOf(goal.field)] : [])])],
      parameters: fieldsWithDerivatives(run.model, unknowns, objective.fields),
      derivative,
      worlds: points * worlds,
      tangents,
      comparisons: {
        list: objective.comparisons,
        columns: isAlong ? unknowns.count : 1,
        worldsOfRun: worlds,
        parts: isAlong && points === 1 && objective.residuals ? partsOf(objective.residuals.prepared) : 1,
      },
    });
  });
