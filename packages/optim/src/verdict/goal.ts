import type { Stopped } from '../descent/descent.ts';
import type { GoalSpec } from '../problem/goal.ts';

/** Verdict on whether a goal was reached and, if not, why. */
export interface GoalVerdict {
  readonly reached: boolean;
  /** Distance from the goal at the estimate, in `unit`; `start`: at the initial values. Null if it is not finite. */
  readonly distance: number | null;
  readonly start: number | null;
  /**
   * Largest distance that counts as reached, in `unit`; null if it is a share of a start distance that is not finite.
   */
  readonly within: number | null;
  readonly unit: string;
  /** Sentence for the report that says whether the goal was reached. */
  readonly note: string;
}

/** Texts for the reasons why a search ends short of its goal. */
const STOPPED = {
  tolerance: 'no step came nearer',
  iterations: 'the iterations allowed were over',
  interrupted: 'it was interrupted',
} as const satisfies Record<Stopped, string>;

/**
 * Compares the distances from the goal at the initial values and at the estimate with the one that counts as reached.
 */
export async function goalVerdict(
  { distance: of, within: near, unit = '' }: GoalSpec,
  values: Record<'start' | 'end', Float64Array>,
  stopped: Stopped,
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
