import type { FieldKey } from '@gradsim/core';
import { refuseUnknownOptions } from '@gradsim/core';

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

/** Whether a goal was reached, and what kept the search from it. */
export interface GoalVerdict {
  readonly reached: boolean;
  /** From the goal, at the estimate and at the initial values; null where a run's distance is not finite. */
  readonly distance: number | null;
  readonly start: number | null;
  /** At this distance and below it is reached; null where it is a share of one that is not finite. */
  readonly within: number | null;
  readonly unit: string;
  /** A sentence for people. */
  readonly note: string;
}

const GOAL = { field: true, distance: true, within: true, unit: true };

/** @throws for a goal that cannot be reached or asked for. */
export function refuseGoal(goal: GoalSpec): void {
  refuseUnknownOptions<GoalSpec>("The problem's goal", goal, GOAL);
  if (typeof goal.distance !== 'function')
    throw new Error("The problem's goal has no `distance`; it is a function of the field's values.");
  const { within } = goal;
  const given = typeof within === 'number' ? within : within?.ofStart;
  if (!(given >= 0 && Number.isFinite(given)))
    throw new Error(
      `The problem's goal is reached within ${given}; it must be a number of at least 0, or \`{ ofStart }\` such a share.`,
    );
}

/** Why searches end before they are where they were to be. */
const STOPPED = {
  tolerance: 'no step came nearer',
  iterations: 'the iterations allowed were over',
  interrupted: 'it was interrupted',
} as const;

/** How a search with a goal went. */
export async function goalVerdict(
  { distance: of, within: near, unit = '' }: GoalSpec,
  values: Record<'start' | 'end', Float64Array>,
  stopped: keyof typeof STOPPED,
): Promise<GoalVerdict> {
  const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
  const [start, distance] = [finite(await of(values.start)), finite(await of(values.end))];
  const within = typeof near === 'number' ? near : start === null ? null : near.ofStart * start;
  const reached = distance !== null && within !== null && distance <= within;
  const told = (value: number | null): string =>
    value === null ? 'not finite' : `${Number(value.toPrecision(3))}${unit ? ` ${unit}` : ''}`;
  const where = `${told(distance)} from the goal, of ${told(start)} at the start; ${told(within)} counts as there`;
  return {
    reached,
    distance,
    start,
    within,
    unit,
    note: reached
      ? `The goal is reached: ${where}.`
      : `The goal is not reached: ${where}. ${capital(STOPPED[stopped])}.`,
  };
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
