import type { Field } from '../model/field.ts';
import type { Cycle } from '../model/model.ts';

/** A loop over passes; values that its rounds carry on are kept in slots, as states are from substep to substep. */
export interface Loop {
  /** Unlike that of all others of a model. */
  readonly id: number;
  readonly name: string;
  /** 0 for a loop that stands in no other. */
  readonly depth: number;
  /** Rounds, or the most of them. */
  readonly rounds: number;
  /** For one that ends by itself: the field, one value a world, that is 1 once it has. */
  readonly done?: Field;
  /** Carried fields, with the number of the version that a round leaves. */
  readonly carried: Map<Field, { exit: number }>;
}

/** A field's value between two writes within a cycle, or a round of a loop. 0 is what it finds when it starts. */
export interface Version {
  readonly field: Field;
  readonly cycle: Cycle;
  readonly loop: Loop | null;
  readonly number: number;
}

export const versionKey = ({ field, cycle, loop, number }: Version): string =>
  `${field.key}@${cycle}${loop ? `.${loop.id}` : ''}.${number}`;

/** Whether a version is the one that a round finds of a carried field, or the one that it leaves; null for all others. */
export function endOfRound({ field, loop, number }: Version): 'entry' | 'exit' | null {
  const carried = loop?.carried.get(field);
  if (!carried) return null;
  if (number === 0) return 'entry';
  return number === carried.exit ? 'exit' : null;
}
