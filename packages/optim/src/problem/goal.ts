import { nullIfInfinite } from '@gradsim/base';
import type { FieldKey } from '@gradsim/core';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Stopped } from '../posterior/found.ts';
import type { GoalVerdict } from '../posterior/posterior.ts';

/**
 * Goal of a problem without measurements: a distance that is computed from a run, and the largest one that counts as
 * reached. The verdict then says whether the goal is reached, not how well the unknowns are determined.
 *
 * ```ts
 * const goal: GoalSpec = {
 *   field: 'world.meanPosition',
 *   distance: (centres) => Math.hypot(centres.at(-3)! - 2, centres.at(-2)! - 1),
 *   within: { ofStart: 0.1 },
 *   unit: 'm',
 * };
 * ```
 */
export interface GoalSpec {
  /** Field that `distance` is computed from, recorded at the initial values and at the estimate. */
  readonly field: FieldKey;
  /**
   * Returns a run's distance from the goal, in `unit`. @param values flat values of all frames,
   * [frame][element][component].
   */
  readonly distance: (values: Float64Array) => number | Promise<number>;
  /**
   * Largest distance that counts as reached, in `unit`; or `ofStart`, as a share of the distance at the initial values.
   */
  readonly within: number | { readonly ofStart: number };
  readonly unit?: string;
}

const GOAL_KEYS = { field: true, distance: true, within: true, unit: true };

/** Checks a goal. @throws if it is invalid. */
export function refuseGoal(goal: GoalSpec): void {
  refuseUnknownOptions<GoalSpec>("The problem's goal", goal, GOAL_KEYS);
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

/** Texts for the reasons why a search ends short of its goal. */
const STOP_REASONS = {
  tolerance: 'no step came nearer',
  iterations: 'the iterations allowed were over',
  interrupted: 'it was interrupted',
} as const satisfies Record<Stopped, string>;

/**
 * Compares the distances from the goal at the initial values and at the estimate with the one that counts as reached.
 * @param stopped why the search ended; null for a point that was found elsewhere.
 */
export async function goalVerdict(
  { distance: of, within: near, unit = '' }: GoalSpec,
  values: Record<'start' | 'end', Float64Array>,
  stopped: Stopped | null,
): Promise<GoalVerdict> {
  const [start, distance] = [nullIfInfinite(await of(values.start)), nullIfInfinite(await of(values.end))];
  const within = typeof near === 'number' ? near : start === null ? null : near.ofStart * start;
  const reached = distance !== null && within !== null && distance <= within;
  const formatted = (value: number | null): string =>
    value === null ? 'not finite' : `${Number(value.toPrecision(3))}${unit ? ` ${unit}` : ''}`;
  const where = `${formatted(distance)} from the goal, of ${formatted(start)} at the start; ${formatted(within)} counts as there`;
  return {
    reached,
    distance,
    start,
    within,
    unit,
    note: reached
      ? `The goal is reached: ${where}.`
      : `The goal is not reached: ${where}.${stopped ? ` ${capitalise(STOP_REASONS[stopped])}.` : ''}`,
  };
}

const capitalise = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
