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

/** What a verdict looks at beside the fit: something that is known of a result and not fitted. */
export interface Check {
  /** A field that is recorded at the estimate; it need not be observed. */
  readonly field: FieldKey;
  /**
   * @param values of all frames, `[frame][element][component]`.
   * @returns a finding of the kind `check`, where something speaks against the result.
   */
  readonly of: (values: Float64Array) => Omit<Finding, 'kind'> | undefined;
}

/** What is estimated from what: a model over time, its unknowns, what was seen, and what else is to be small. */
export interface Problem extends Run {
  /** Unknowns of one number each. */
  readonly parameters?: readonly ParameterSpec[];
  /** Unknowns by the thousand. */
  readonly arrays?: readonly ArraySpec[];
  /** Places of fields that follow from parameters by functions: of several parameters, in several fields. */
  readonly ties?: readonly TieSpec[];
  /** Quantities that were measured and are not to be found: standard errors include what their tolerances make of them. */
  readonly given?: readonly GivenSpec[];
  /** What follows from parameters and is told beside them, with its standard error. */
  readonly derived?: Readonly<Record<string, DerivedSpec>>;
  /** What was seen: the weighted mean of squared differences is to be small. */
  readonly observations?: readonly Observation[];
  /** What else is to be small, each added to that mean. */
  readonly losses?: readonly Loss[];
  /** What speaks against a result beside what fits badly: asked once, at the estimate. */
  readonly checks?: readonly Check[];
  /** What is to be reached, where nothing was measured: the verdict then says whether it is. */
  readonly goal?: GoalSpec;
  /** Worlds that begin differently and share the unknowns; losses are means over them. Default: one, as the model has it. */
  readonly worlds?: Worlds;
  readonly options?: EstimateOptions;
  /**
   * The same problem on a mesh so many times as fine along each edge, with as many substeps as that needs: what
   * {@link UncertaintyOptions.verify} holds the estimate against. Its parameters have the same names.
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

/** @throws for a problem that has what there is not, lacks its model, or has no list where one is due. */
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
