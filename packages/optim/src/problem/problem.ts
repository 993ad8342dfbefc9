import type { FieldKey } from '@gradsim/core';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Finding } from './finding.ts';
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

/** An additional check of the verdict: something known about a result that is not fitted. */
export interface Check {
  /** Field that is recorded at the estimate; it need not be observed. */
  readonly field: FieldKey;
  /**
   * @param values of all frames, `[frame][element][component]`.
   * @returns a finding of the kind `check`, if it contradicts the result.
   */
  readonly of: (values: Float64Array) => Omit<Finding, 'kind'> | undefined;
}

/** An estimation problem: a model over time, its unknowns, observations, and further losses. */
export interface Problem extends Run {
  /** Unknowns of one number each. */
  readonly parameters?: readonly ParameterSpec[];
  /** Unknowns by the thousand. */
  readonly arrays?: readonly ArraySpec[];
  /** Values of fields computed from parameters by functions: of several parameters, in several fields. */
  readonly ties?: readonly TieSpec[];
  /** Quantities that were measured and are not estimated: standard errors include their tolerances. */
  readonly given?: readonly GivenSpec[];
  /** Quantities computed from parameters and reported beside them, with their standard errors. */
  readonly derived?: Readonly<Record<string, DerivedSpec>>;
  /** Observations: the weighted mean of squared residuals is minimised. */
  readonly observations?: readonly Observation[];
  /** Further losses, each added to that mean. */
  readonly losses?: readonly Loss[];
  /** Checks of the result besides its fit, evaluated once, at the estimate. */
  readonly checks?: readonly Check[];
  /** Goal, for problems without measurements: the verdict then says whether it is reached. */
  readonly goal?: GoalSpec;
  /**
   * Worlds that start differently and share the unknowns; losses are means over them. Default: one, as the model has
   * it.
   */
  readonly worlds?: Worlds;
  readonly options?: EstimateOptions;
  /**
   * The same problem on a mesh `times` as fine along each edge, with as many substeps as that needs: {@link
   * UncertaintyOptions.verify} compares the estimate with it. Its parameters have the same names.
   */
  readonly refined?: (times: number) => Problem | Promise<Problem>;
}

const PROBLEM = {
  model: true,
  frames: true,
  frameRate: true,
  substeps: true,
  values: true,
  parameters: true,
  arrays: true,
  ties: true,
  given: true,
  derived: true,
  observations: true,
  losses: true,
  checks: true,
  worlds: true,
  options: true,
  goal: true,
  refined: true,
};

/** @throws for a problem with unknown options, without a model, or with a value where a list is required. */
export function checkProblem(problem: Problem): void {
  refuseUnknownOptions<Problem>('The problem', problem, PROBLEM);
  if (typeof problem.model?.field !== 'function')
    throw new GradsimError(
      'optim/no-model',
      'The problem has no model; it needs one, such as buildModel(scene) gives.',
    );
  for (const name of ['parameters', 'arrays', 'given', 'ties', 'observations', 'losses', 'checks'] as const)
    if (!Array.isArray(problem[name] ?? []))
      throw new GradsimError(
        'optim/wrong-type',
        `The problem's ${name} must be a list, got ${JSON.stringify(problem[name])}.`,
      );
}
