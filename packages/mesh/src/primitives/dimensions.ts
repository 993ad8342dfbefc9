import { GradsimError } from '@gradsim/kernel';

/**
 * Maximum elements of a shape: some ten million take seconds and a gigabyte to create, and their users take many times
 * more.
 */
const MAX_ELEMENTS = 1e7;

/** Refuses values that are not a list of `count` numbers, for callers in plain JavaScript. */
export function checkList(shape: string, name: string, list: unknown, count: number): void {
  const isList = Array.isArray(list) || ArrayBuffer.isView(list);
  if (!isList || (list as ArrayLike<number>).length !== count)
    throw new GradsimError(
      'mesh/option-out-of-range',
      `${shape}: ${name} is ${JSON.stringify(list)}, but must be a list of ${count} numbers.`,
    );
}

/** Refuses lengths that are not positive and finite. */
export function checkLengths(shape: string, lengths: Record<string, number>): void {
  for (const [name, value] of Object.entries(lengths)) {
    if (!(value > 0 && Number.isFinite(value))) {
      throw new GradsimError(
        'mesh/option-out-of-range',
        `${shape}: ${name} is ${value}, but must be a positive number of metres.`,
      );
    }
  }
}

/** Refuses counts that are not integers of at least `least`. */
export function checkCount(shape: string, name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least) {
    throw new GradsimError(
      'mesh/option-out-of-range',
      `${shape}: ${name} is ${value}, but must be a whole number of at least ${least}.`,
    );
  }
}

/**
 * Refuses a shape of more elements than can be handled, before any are made.
 *
 * @param elements what they are called, such as `triangles`.
 */
export function checkElementCount(shape: string, elements: string, count: number): void {
  if (count <= MAX_ELEMENTS) return;
  throw new GradsimError(
    'mesh/too-large',
    `${shape}: this would be ${count.toPrecision(3)} ${elements}, and at most ${MAX_ELEMENTS} can be handled.`,
    { hint: 'Make it coarser.' },
  );
}
