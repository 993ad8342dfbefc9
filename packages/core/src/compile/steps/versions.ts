import type { Field } from '../../model/field.ts';
import type { Cycle } from '../../model/phases.ts';

/** A loop over passes; values carried from round to round are kept in slots, like states from substep to substep. */
export interface Loop {
  /** Number of the loop, unique in the model. */
  readonly id: number;
  readonly name: string;
  /** Nesting depth: 0 for an outermost loop. */
  readonly depth: number;
  /** Number of rounds, or their maximum if the loop can end earlier. */
  readonly rounds: number;
  /** Convergence flag of a loop that can end earlier: a field with one value per world, 1 once that world has ended. */
  readonly endedField?: Field;
  /** Carried fields, with the number of the version at the end of a round. */
  readonly carried: Map<Field, { exit: number }>;
}

/**
 * Value of a field between two writes within a cycle or a round of a loop. Version 0 is the value at the start of the
 * cycle or round.
 */
export interface Version {
  readonly field: Field;
  readonly cycle: Cycle;
  readonly loop: Loop | null;
  readonly number: number;
}

export const versionKey = ({ field, cycle, loop, number }: Version): string =>
  `${field.key}@${cycle}${loop ? `.${loop.id}` : ''}.${number}`;

/**
 * Returns `entry` for the version of a carried field at the start of a round, `exit` for the one at its end, and null
 * for all others.
 */
export function endOfRound({ field, loop, number }: Version): 'entry' | 'exit' | null {
  const carried = loop?.carried.get(field);
  if (!carried) return null;
  if (number === 0) return 'entry';
  return number === carried.exit ? 'exit' : null;
}
