import { GradsimError, refuseUnknownChoice } from '@gradsim/base';
import type { ScalarType } from '@gradsim/kernel/internal';

/** Condition on a value, in addition to being finite. */
export type ValueRange = 'any' | 'positive' | 'nonNegative' | ValueCondition;

/**
 * A custom range: its wording for messages, and a test of all components of a value, such as
 * `{ requirement: 'be 0 or 1', isMet: ([x]) => x === 0 || x === 1 }`.
 */
export interface ValueCondition {
  /** Wording of the condition, to follow "it must". */
  readonly requirement: string;
  /** Returns whether a value satisfies the condition, from its components rounded to single precision. */
  readonly isMet: (components: readonly number[]) => boolean;
}

/** @throws for an unknown name of a range. */
export function refuseUnknownRange(label: string, range: ValueRange = 'any'): void {
  if (typeof range !== 'object') refuseUnknownChoice(`${label}: range`, range, ['any', 'positive', 'nonNegative']);
}

/** Type and range of a field, by which its values are checked. */
export interface ValueRequirements {
  readonly scalar: ScalarType;
  readonly components: number;
  readonly range?: ValueRange;
}
/** Type and range of a field, with its key. */
interface FieldRequirements extends ValueRequirements {
  readonly key: string;
  readonly variesBy?: 'frame' | 'substep';
}

/** A value that violates its conditions. */
export interface UnfitValue {
  /** Index of the element; and the invalid value as text. */
  readonly element: number;
  readonly value: string;
  /** Wording of the violated condition, to follow "it must". */
  readonly requirement: string;
}

const INTEGER_BOUNDS = { i32: [-(2 ** 31), 2 ** 31 - 1], u32: [0, 2 ** 32 - 1] } as const;

/**
 * Returns the condition that a number violates, to follow "it must"; undefined if it is valid. Numbers are checked
 * after rounding to single precision, in which most devices compute: 1e39 is infinite there, and 1e-50 is 0. Devices of
 * double precision use the same check, so that a scene which runs on one device runs on all.
 */
export function flawOf(value: number, { scalar, range = 'any' }: Omit<ValueRequirements, 'components'>): string | null {
  if (scalar === 'i32' || scalar === 'u32') {
    const [least, most] = INTEGER_BOUNDS[scalar];
    const isFit = Number.isInteger(value) && value >= least && value <= most;
    return isFit ? null : `be a whole number from ${least} to ${most}`;
  }
  if (!Number.isFinite(value)) return 'be a finite number';
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return 'be within 3.4e38, where single precision ends';
  const rounded = single === 0 && value > 0 ? ', in single precision too' : '';
  if (range === 'positive' && !(single > 0)) return `be above 0${rounded}`;
  if (range === 'nonNegative' && !(single >= 0)) return 'not be negative';
  return null;
}

/** Returns the first invalid one of an array of values, element by element; null if all are valid. */
export function firstUnfitValue(values: ArrayLike<number>, fitness: ValueRequirements): UnfitValue | null {
  const { components, range } = fitness;
  for (let k = 0; k < values.length; k++) {
    const requirement = flawOf(values[k], fitness);
    if (requirement) return { element: Math.floor(k / components), value: String(values[k]), requirement };
  }
  if (typeof range !== 'object') return null;
  for (let from = 0; from < values.length; from += components) {
    const value = Array.from({ length: components }, (_, c) => values[from + c]);
    if (range.isMet(value.map(Math.fround))) continue;
    const named = components > 1 ? `(${value.join(', ')})` : String(value[0]);
    return { element: from / components, value: named, requirement: range.requirement };
  }
  return null;
}

/**
 * Refuses values that are not finite, not in their range, or not whole where they must be.
 * @param describe name of an element in messages.
 * @param elements number of elements of one world at one moment; values of further worlds or moments follow.
 */
export function refuseUnfitValue(
  field: FieldRequirements,
  values: ArrayLike<number>,
  describe: (element: number) => string,
  elements = Number.POSITIVE_INFINITY,
): void {
  const unfit = firstUnfitValue(values, field);
  if (!unfit) return;
  const element = describe(unfit.element % elements);
  const moment = Math.floor(unfit.element / elements);
  const when = field.variesBy && moment > 0 ? ` at ${field.variesBy} ${moment}` : '';
  throw new GradsimError('core/value-out-of-range', `${field.key} of ${element}${when} is ${unfit.value}.`, {
    field: field.key,
    element,
    hint: `It must ${unfit.requirement}.`,
  });
}
