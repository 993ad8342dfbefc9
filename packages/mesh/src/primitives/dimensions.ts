import { describeValue, GradsimError } from '@gradsim/base';

/**
 * Maximum number of elements of a generated mesh: ten million take seconds and a gigabyte to create, and simulations of
 * them take many times more.
 */
const MAX_ELEMENTS = 1e7;

/** Checks that a value is a list of `count` numbers, for callers in plain JavaScript. */
export function checkList(shape: string, name: string, list: unknown, count: number): void {
  const isList = Array.isArray(list) || ArrayBuffer.isView(list);
  if (!isList || (list as ArrayLike<number>).length !== count)
    throw new GradsimError(
      'mesh/option-out-of-range',
      `${shape}: ${name} is ${describeValue(list)}, but must be a list of ${count} numbers.`,
    );
}

/** Checks that lengths are positive and finite. */
export function checkLengths(shape: string, lengths: Record<string, number>): void {
  for (const [name, value] of Object.entries(lengths)) {
    if (!(value > 0 && Number.isFinite(value))) {
      throw new GradsimError(
        'mesh/option-out-of-range',
        `${shape}: ${name} is ${describeValue(value)}, but must be a positive number of metres.`,
      );
    }
  }
}

/** Checks that counts are integers of at least `minimum`. */
export function checkCount(shape: string, name: string, value: number, minimum: number): void {
  if (!Number.isInteger(value) || value < minimum) {
    throw new GradsimError(
      'mesh/option-out-of-range',
      `${shape}: ${name} is ${describeValue(value)}, but must be a whole number of at least ${minimum}.`,
    );
  }
}

/**
 * Refuses a mesh of more than `MAX_ELEMENTS` elements before it is created.
 *
 * @param elements plural name of the elements in messages, such as `triangles`.
 */
export function checkElementCount(shape: string, elements: string, count: number): void {
  if (count <= MAX_ELEMENTS) return;
  throw new GradsimError(
    'mesh/too-large',
    `${shape}: this would be ${count.toPrecision(3)} ${elements}, and at most ${MAX_ELEMENTS} can be handled.`,
    { hint: 'Make it coarser.' },
  );
}
