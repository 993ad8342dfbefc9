import type { FieldKey } from '@gradsim/core';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';

/**
 * Goal of a problem that measures nothing: the distance of a run from it, and the distance that counts as reached. The
 * result is then judged by whether it is reached, not by how well the unknowns are determined.
 *
 * ```ts
 * const goal: GoalSpec = {
 *   field: 'world.centre',
 *   distance: (centres) => Math.hypot(centres.at(-3)! - 2, centres.at(-2)! - 1),
 *   within: { ofStart: 0.1 },
 *   unit: 'm',
 * };
 * ```
 */
export interface GoalSpec {
  /** Field that is recorded at the start and at the estimate. */
  readonly field: FieldKey;
  /** Distance of a run from the goal. @param values of all frames, `[frame][element][component]`. */
  readonly distance: (values: Float64Array) => number | Promise<number>;
  /** Distance at which it is reached, or that distance as a share of the one at the initial values. */
  readonly within: number | { readonly ofStart: number };
  readonly unit?: string;
}

const GOAL = { field: true, distance: true, within: true, unit: true };

/** @throws for an invalid goal. */
export function refuseGoal(goal: GoalSpec): void {
  refuseUnknownOptions<GoalSpec>("The problem's goal", goal, GOAL);
  if (typeof goal.distance !== 'function')
    throw new GradsimError(
      'optim/no-function',
      "The problem's goal has no `distance`; it is a function of the field's values.",
    );
  const { within } = goal;
  const given = typeof within === 'number' ? within : within?.ofStart;
  if (!(given >= 0 && Number.isFinite(given)))
    throw new GradsimError('optim/option-out-of-range', `The problem's goal is reached within ${given}.`, {
      hint: 'It must be a number of at least 0, or `{ ofStart }` such a share.',
    });
}
