import type { Field } from '../model/field.ts';
import type { Cycle } from '../model/model.ts';

/** A loop over passes; values carried from round to round are kept in slots, like states from substep to substep. */
export interface Loop {
  /** Number unique in the model. */
  readonly id: number;
  readonly name: string;
  /** Nesting depth: 0 for an outermost loop. */
  readonly depth: number;
  /** Number of rounds, or their maximum. */
  readonly rounds: number;
  /**
   * Convergence flag of a loop that ends by itself: the field, one value per world, that is 1 once the world has ended.
   */
  readonly done?: Field;
  /** Carried fields, with the number of the version that a round leaves. */
  readonly carried: Map<Field, { exit: number }>;
}

/** Value of a field between two writes within a cycle or a round of a loop. Version 0 is the value at its start. */
export interface Version {
  readonly field: Field;
  readonly cycle: Cycle;
  readonly loop: Loop | null;
  readonly number: number;
}

export const versionKey = ({ field, cycle, loop, number }: Version): string =>
  `${field.key}@${cycle}${loop ? `.${loop.id}` : ''}.${number}`;

/**
 * `entry` for the version of a carried field that a round starts with, `exit` for the one that it leaves; null for all
 * others.
 */
export function endOfRound({ field, loop, number }: Version): 'entry' | 'exit' | null {
  const carried = loop?.carried.get(field);
  if (!carried) return null;
  if (number === 0) return 'entry';
  return number === carried.exit ? 'exit' : null;
}
