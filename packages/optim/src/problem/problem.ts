import type { FieldKey } from '@gradsim/core';
import { describeValue, GradsimError, refuseUnknownOptions, refuseWrongType } from '@gradsim/core';
import { flawOf } from '@gradsim/core/internal';
import type { GivenSpec } from './given.ts';
import type { GoalSpec } from './goal.ts';
import type { Loss } from './loss.ts';
import type { DerivedSpec } from './named.ts';
import type { Observation } from './observation.ts';
import type { EstimateOptions } from './options.ts';
import type { ArraySpec, ParameterSpec } from './parameter.ts';
import type { Run } from './run.ts';
import type { TieSpec } from './tie.ts';
import type { Worlds } from './worlds.ts';

/** An estimation problem: a model with its timeline, unknowns, observations, and further losses. */
export interface Problem extends Run {
  /** Unknowns of one number each. */
  readonly parameters?: readonly ParameterSpec[];
  /** Arrays of unknowns, up to thousands of values each. */
  readonly arrays?: readonly ArraySpec[];
  /** Functions that compute values of fields from one or several parameters. */
  readonly ties?: readonly TieSpec[];
  /** Measured quantities that are not estimated, but whose tolerances enter the standard errors. */
  readonly given?: readonly GivenSpec[];
  /**
   * Relative standard deviation of the frame rate, or of all `frameTimes` together: 0.001 is 0.1 %. Standard errors then include it, the result has the
   * rate that the film indicates as the given quantity `frame rate`, and inputs over time are stretched with it. The
   * estimate itself is that of the times as given. 0: the rate is known to be exact. Default: it is taken for exact, and
   * `verdict.unseen` says where an error of it matters and does not show.
   */
  readonly clockTolerance?: number;
  /**
   * When the frames were taken, if that is uneven, such as `30 then 20 a second`: named first by the verdict on a result that
   * is not trusted. Default: of `frameTimes`, their shortest and longest interval.
   */
  readonly unevenTimes?: string;
  /** Quantities computed from parameters, by name, reported with their standard errors. */
  readonly derived?: Readonly<Record<string, DerivedSpec>>;
  /** Observations, over all of which the weighted mean of squared residuals is minimised. */
  readonly observations?: readonly Observation[];
  /** Further losses, which are added to the mean of squared residuals. */
  readonly losses?: readonly Loss[];
  /** Fields to record at the estimate, for `predicted`, beside those that losses, observations and checks use. */
  readonly predict?: readonly FieldKey[];
  /** Goal of a problem without measurements; the verdict then says whether it is reached. */
  readonly goal?: GoalSpec;
  /**
   * Worlds with different initial states or materials that share the unknowns; losses are averaged over them. Default:
   * a single world as in the model.
   */
  readonly worlds?: Worlds;
  readonly options?: EstimateOptions;
  /**
   * Makes the same problem with a mesh whose edges are `times` as many along each direction, and with as many substeps
   * as that requires; its parameters have the same names. {@link UncertaintyOptions.verify} compares its estimate.
   */
  readonly refined?: (times: number) => Problem | Promise<Problem>;
}

const PROBLEM_KEYS = {
  model: true,
  frames: true,
  frameRate: true,
  frameTimes: true,
  substeps: true,
  values: true,
  parameters: true,
  arrays: true,
  ties: true,
  given: true,
  clockTolerance: true,
  unevenTimes: true,
  derived: true,
  observations: true,
  losses: true,
  predict: true,
  worlds: true,
  options: true,
  goal: true,
  refined: true,
};

/** Checks a problem. @throws for unknown options, a missing model, or a value where a list is required. */
export function checkProblem(problem: Problem): void {
  refuseUnknownOptions<Problem>('The problem', problem, PROBLEM_KEYS);
  if (typeof problem.model?.field !== 'function')
    throw new GradsimError(
      'optim/no-model',
      'The problem has no model; it needs one, such as buildModel(scene) gives.',
    );
  if (problem.clockTolerance !== undefined && flawOf(problem.clockTolerance, { scalar: 'f32', range: 'nonNegative' }))
    throw new GradsimError(
      'optim/tolerance-out-of-range',
      `The problem's clockTolerance is ${problem.clockTolerance}.`,
      {
        field: 'clockTolerance',
        hint: 'It must be a part of the frame rate, such as 0.001, or 0 for an exact rate.',
      },
    );
  for (const name of ['parameters', 'arrays', 'given', 'ties', 'observations', 'losses', 'predict'] as const)
    if (problem[name] !== undefined && !Array.isArray(problem[name]))
      throw new GradsimError(
        'optim/wrong-type',
        `The problem's ${name} must be a list, got ${describeValue(problem[name])}.`,
      );
  for (const name of ['parameters', 'arrays', 'given', 'observations', 'losses', 'predict'] as const)
    for (const [k, item] of (problem[name] ?? []).entries())
      refuseWrongType(
        `The problem's ${name}[${k}]`,
        item,
        name === 'predict' ? 'a field or its key' : 'an object',
        (typeof item === 'object' && item !== null) || (name === 'predict' && typeof item === 'string'),
      );
}
