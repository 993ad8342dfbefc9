import type { FieldKey } from '@gradsim/core';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';

/**
 * What is to be reached, of a problem that measures nothing: how far from it a run is, and how near is near enough. The result
 * is then judged by whether it gets there, not by whether its unknowns are those of what was seen.
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
  /** A field that is recorded at the start and at the estimate. */
  readonly field: FieldKey;
  /** How far a run is from the goal. @param values of all frames, `[frame][element][component]`. */
  readonly distance: (values: Float64Array) => number | Promise<number>;
  /** It is reached at this distance and below, or at this share of the distance at the initial values. */
  readonly within: number | { readonly ofStart: number };
  readonly unit?: string;
}

const GOAL = { field: true, distance: true, within: true, unit: true };

/** @throws for a goal that cannot be reached or asked for. */
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
