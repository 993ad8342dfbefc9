import type { Simulation } from '@gradsim/core';
import { fieldsWithDerivatives } from '../objective/dead-unknowns.ts';
import type { Objective } from '../objective/objective.ts';
import { keyOf } from '../problem/field-key.ts';
import { open } from '../problem/open.ts';
import type { Settings } from '../problem/options.ts';
import type { Problem } from '../problem/problem.ts';
import type { Estimate, EstimateControls, Iteration } from '../result.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import { descendByValues } from './by-values.ts';
import type { Explosion } from './explosion.ts';
import { descendByGradient } from './gradient-descent.ts';
import { descendBySquares } from './least-squares-descent.ts';
import { descendOverWorlds } from './worlds-descent.ts';

/** Reads every frame of a recorded field, as the last run of the best start shows it. */
export type ShowFrames = (field: string) => Promise<Float64Array>;

/** One descent from one or several points, side by side. */
export interface DescentRun {
  readonly problem: Problem;
  readonly options: Settings;
  readonly unknowns: Unknowns;
  readonly objective: Objective;
  readonly points: readonly Float64Array[];
  readonly controls: EstimateControls;
  readonly report: (
    loss: number,
    x: Float64Array,
    show: ShowFrames,
    more?: Pick<Iteration, 'clipped' | 'distance' | 'exploded'>,
  ) => Promise<void>;
  /** Takes up which unknowns have had a gradient, by number. */
  readonly moved: Uint8Array;
  /** Whether all points are to come to their ends, also when one of them fits exactly before. */
  readonly isWhole?: boolean;
  /** Where to run, for whoever goes down more than once; it has as many worlds as that takes. Default: one of its own. */
  readonly simulation?: Simulation;
  /** Of an unknown that is found by values alone: the points between which its values tell, see `evidenceAt`. */
  readonly sides?: readonly [Float64Array, Float64Array];
}

/** Where one start came to. */
export interface End {
  readonly x: Float64Array;
  readonly loss: number;
  /** J^T J over the sum of weights; nothing where only gradients are known. */
  readonly hessian?: Float64Array;
}

export interface Ends {
  /** Of all starts, best first. */
  readonly ends: readonly End[];
  readonly stopped: Estimate['stopped'];
  /** The first gradient of the search that exploded. */
  readonly exploded?: Explosion;
  /** The losses that the starts came to, and what the last of all hops allowed gained, where none was without gain. */
  readonly restarts?: { readonly starts: readonly number[]; readonly lastGain: number | null };
}

/** Goes down from all points. */
export const descend = (run: DescentRun): Promise<Ends> =>
  run.unknowns.byValues === null ? descendByDerivatives(run) : descendByValues(run);

/** Goes down with the method that the options name, in all unknowns that have derivatives. */
export function descendByDerivatives(run: DescentRun): Promise<Ends> {
  if (run.problem.worlds) return descendOverWorlds(run);
  return run.options.method === 'levenberg-marquardt' ? descendBySquares(run) : descendByGradient(run);
}

/** The field that the goal is about. */
const goalFields = ({ goal }: Problem): string[] => (goal ? [keyOf(goal.field)] : []);

/** A simulation for a descent. */
export const simulate = (
  { problem, unknowns, objective, options, controls }: DescentRun,
  derivative: 'tangent' | 'adjoint',
  worlds: number,
): Promise<Simulation> =>
  open(problem, {
    device: controls.device,
    memory: options.memory,
    record: [...new Set([...objective.fields, ...goalFields(problem)])],
    parameters: fieldsWithDerivatives(problem.model, unknowns, objective.fields),
    derivative,
    worlds,
  });

/** Every frame of a recorded field in one world: [frame][element][component]. */
export const framesOf = async (simulation: Simulation, field: string, world: number): Promise<Float64Array> => {
  const all = await simulation.readFrames(field);
  const { frames, worlds } = simulation;
  const values = all.length / frames / worlds;
  const own = new Float64Array(frames * values);
  for (let f = 0; f < frames; f++)
    own.set(all.subarray((f * worlds + world) * values, (f * worlds + world + 1) * values), f * values);
  return own;
};
