import { GradsimError } from '@gradsim/base';
import type { Executor } from '../../devices/device.ts';
import type { Query } from '../../devices/query.ts';
import { NO_ELEMENT } from '../../language/fields/no-element.ts';
import type { MemoryPlace } from '../memory/places.ts';
import { wordOf } from '../memory/places.ts';

/** Place of a record of the first access out of range in a run, and its decoder. */
export interface AccessRecord {
  readonly place: MemoryPlace;
  /** True if it is of a backward run. */
  readonly isBack: boolean;
  /** Decodes the words of the record; null if there was no such access. */
  readonly find: (record: ArrayLike<number>) => BadAccess | null;
}

/** A kernel's read or addition at an index out of range. */
export interface BadAccess {
  readonly substep: number;
  /** Number of the world; null if there is only one world. */
  readonly world: number | null;
  readonly kernel: string;
  /** Domain of the kernel, and the element that it ran for; null if that is not known. */
  readonly domain: string;
  readonly element: number | null;
  readonly operation: 'reads' | 'adds to';
  /** Field that was accessed, by its key `domain.name`, and the field's number of elements. */
  readonly field: string;
  readonly elements: number;
  /** Index that was out of range; null if it is not known. */
  readonly index: number | null;
}

/** Kernel, domain, element and field of an addition out of range. */
export type BadAddition = Pick<BadAccess, 'kernel' | 'domain' | 'element' | 'field' | 'elements'>;

/**
 * Creates the access record of additions. `place` has one record per element: substep + 1, slot (for a private
 * accumulator: element), index. `describe` decodes the slot.
 */
export const outOfRangeAddition = (
  place: MemoryPlace,
  isBack: boolean,
  describe: (slot: number) => BadAddition,
): AccessRecord => ({
  place,
  isBack,
  find(record) {
    const { shape } = place;
    let first: BadAccess | null = null;
    for (let one = 0; one < shape.elements * shape.worlds; one++) {
      const [element, world] = [Math.floor(one / shape.worlds), one % shape.worlds];
      const [after, slot, index] = [0, 1, 2].map((c) => record[wordOf(shape, c, element, world)]);
      const substep = after - 1;
      if (after === 0 || (first && first.substep <= substep)) continue;
      const operation = isBack ? 'reads' : 'adds to';
      first = { ...describe(slot), substep, world: shape.worlds > 1 ? world : null, operation, index };
    }
    return first;
  },
});

/** The reads of one kernel that share a record. */
export interface RecordedReads {
  readonly isBack: boolean;
  readonly kernel: string;
  readonly domain: string;
  readonly worlds: number;
  /** Field and its number of elements for each read, by site number. */
  readonly read: readonly { readonly field: string; readonly size: number }[];
}

/** Creates the access record of a kernel's reads; see `RECORD_WORDS` for the words of its record. */
export const readRecord = (
  place: MemoryPlace,
  { isBack, kernel, domain, worlds, read }: RecordedReads,
): AccessRecord => ({
  place,
  isBack,
  find(record) {
    const words = Array.from(record);
    const sum = words.pop();
    const [after, , element, world, site, index] = words;
    if (after === 0) return null;
    // Several invocations wrote at once: their words are mixed.
    const isMixed = sum !== words.reduce((all, word) => (all + word) >>> 0, 0);
    const { field, size } = read[isMixed ? 0 : site];
    return {
      substep: after - 1,
      world: worlds > 1 && !isMixed ? world : null,
      kernel,
      domain,
      operation: 'reads',
      field,
      elements: size,
      element: isMixed ? null : element,
      index: isMixed ? null : index,
    };
  },
});

/** First error recorded in a run, and its substep. */
export interface Failure {
  readonly substep: number;
  readonly error: Error;
}

/**
 * Returns the error for the first access of a run at an index out of range; null if there was none.
 * @param nameOf returns the display name of an element of a domain.
 */
export const firstBadAccess = (
  records: readonly AccessRecord[],
  nameOf: (domain: string, element: number) => string,
): Query<Failure | null> => ({
  requests: contiguousRanges(records).map(({ from, words }) => ({ arena: 'u32', from, words })),
  conclude(answers) {
    let first: BadAccess | null = null;
    for (const [k, { from, of }] of contiguousRanges(records).entries())
      for (const { place, find } of of) {
        const at = place.offset - from;
        const found = find(Array.from({ length: place.words }, (_, word) => answers[k][at + word]));
        if (found && (!first || found.substep < first.substep)) first = found;
      }
    if (!first) return null;
    const { substep, kernel, field, domain } = first;
    const element = first.element === null ? undefined : nameOf(domain, first.element);
    return {
      substep,
      error: new GradsimError('kernel/access-out-of-range', sentence(first, element), { kernel, field, element }),
    };
  },
});

function sentence(
  { kernel, domain, operation, field, elements, index, substep, world }: BadAccess,
  element: string | undefined,
): string {
  const whose = `for ${element ?? `elements of ${domain}`}`;
  const named = index === NO_ELEMENT ? 'NO_ELEMENT, which the values that it came from could not be,' : null;
  const at = index === null ? 'at indices that it does not have' : `at index ${named ?? signed(index)}`;
  const where = `substep ${substep}${world === null ? '' : `, world ${world}`}`;
  const advice =
    operation === 'reads'
      ? 'Where there is none, read at NO_ELEMENT, which gives 0, or not at all, by `when`'
      : 'Leave out what has no place there, by `when`, or add it at NO_ELEMENT';
  return (
    `kernel ${kernel}, ${whose}: ${operation} ${field} ${at}, and there are ${elements} of ${field.split('.')[0]}, ` +
    `counted from 0 (${where}). ${advice}.`
  );
}

/** Formats an index as it was meant: one just below 2^32 was negative. */
export const signed = (index: number): string => (index >= 2 ** 31 ? `${index - 2 ** 32}` : `${index}`);

/** Clears the records of forward, or of backward runs. */
export function clearAccessRecords(executor: Executor, records: readonly AccessRecord[], isBack: boolean): void {
  for (const { from, words } of contiguousRanges(records.filter((record) => record.isBack === isBack)))
    executor.clear('u32', from, words);
}

/** Merges neighbouring records into ranges of words, which include gaps of a few unused words between records. */
function contiguousRanges(records: readonly AccessRecord[]): { from: number; words: number; of: AccessRecord[] }[] {
  const stretches: { from: number; words: number; of: AccessRecord[] }[] = [];
  for (const record of [...records].sort((a, b) => a.place.offset - b.place.offset)) {
    const { offset, words } = record.place;
    const last = stretches.at(-1);
    if (last && offset - (last.from + last.words) < MIN_ARRAY_GAP) {
      last.words = offset + words - last.from;
      last.of.push(record);
    } else stretches.push({ from: offset, words, of: [record] });
  }
  return stretches;
}
/** Gap in words from which on two arrays count as separate. */
const MIN_ARRAY_GAP = 4;
