import type { Question } from '../devices/asking.ts';
import type { Executor } from '../devices/device.ts';
import { NO_ELEMENT } from '../language/no-element.ts';
import type { Place } from './places.ts';
import { wordOf } from './places.ts';

/** A record of the first access of a run at an index that no element has, where there was one. */
export interface Loss {
  readonly place: Place;
  /** Whether it is of a run back. */
  readonly isBack: boolean;
  /** The access that the words of the record tell of; null where there was none. */
  readonly find: (record: ArrayLike<number>) => LostAccess | null;
}

/** A kernel's read or addition at an index that no element has. */
export interface LostAccess {
  readonly substep: number;
  /** Null where there is only one. */
  readonly world: number | null;
  readonly kernel: string;
  /** The domain of the kernel, and the element that it ran for; null where that is not known. */
  readonly domain: string;
  readonly element: number | null;
  readonly does: 'reads' | 'adds to';
  /** The field, `domain.name`, and how many elements it has. */
  readonly field: string;
  readonly elements: number;
  /** Null where it is not known. */
  readonly index: number | null;
}

/** An addition, as the slot or element and the index of its record tell. */
export type LostAddition = Pick<LostAccess, 'kernel' | 'domain' | 'element' | 'field' | 'elements'>;

/**
 * Records of additions, one for each element of a place: the substep + 1, the slot (the element, of what goes to a
 * private accumulator) and the index.
 */
export const lostAdditions = (place: Place, isBack: boolean, describe: (slot: number) => LostAddition): Loss => ({
  place,
  isBack,
  find(record) {
    const { shape } = place;
    let first: LostAccess | null = null;
    for (let one = 0; one < shape.elements * shape.worlds; one++) {
      const [element, world] = [Math.floor(one / shape.worlds), one % shape.worlds];
      const [after, slot, index] = [0, 1, 2].map((c) => record[wordOf(shape, c, element, world)]);
      const substep = after - 1;
      if (after === 0 || (first && first.substep <= substep)) continue;
      const does = isBack ? 'reads' : 'adds to';
      first = { ...describe(slot), substep, world: shape.worlds > 1 ? world : null, does, index };
    }
    return first;
  },
});

/** Facts about the reads of a kernel that one record is of. */
export interface RecordedReads {
  readonly isBack: boolean;
  readonly kernel: string;
  readonly domain: string;
  readonly worlds: number;
  /** By site: the field, and how many elements it has. */
  readonly read: readonly { readonly field: string; readonly size: number }[];
}

/** The record of a kernel's reads; see `RECORD_WORDS` for its words. */
export const lostRead = (place: Place, { isBack, kernel, domain, worlds, read }: RecordedReads): Loss => ({
  place,
  isBack,
  find(record) {
    const words = Array.from(record);
    const sum = words.pop();
    const [after, , element, world, site, index] = words;
    if (after === 0) return null;
    // Several invocations wrote at once: which of their words are whose is not known.
    const isMixed = sum !== words.reduce((all, word) => (all + word) >>> 0, 0);
    const { field, size } = read[isMixed ? 0 : site];
    return {
      substep: after - 1,
      world: worlds > 1 && !isMixed ? world : null,
      kernel,
      domain,
      does: 'reads',
      field,
      elements: size,
      element: isMixed ? null : element,
      index: isMixed ? null : index,
    };
  },
});

/** First error that a run recorded. */
export interface Failure {
  readonly substep: number;
  readonly error: Error;
}

/**
 * The error for the first access of a run at an index that no element has; null where there was none.
 * @param nameOf names an element of a domain.
 */
export const firstLoss = (
  losses: readonly Loss[],
  nameOf: (domain: string, element: number) => string,
): Question<Failure | null> => ({
  asks: stretchesOf(losses).map(({ from, words }) => ({ arena: 'u32', from, words })),
  conclude(answers) {
    let first: LostAccess | null = null;
    for (const [k, { from, of }] of stretchesOf(losses).entries())
      for (const { place, find } of of) {
        const at = place.offset - from;
        const found = find(Array.from({ length: place.words }, (_, word) => answers[k][at + word]));
        if (found && (!first || found.substep < first.substep)) first = found;
      }
    return first && { substep: first.substep, error: new Error(sentence(first, nameOf)) };
  },
});

function sentence(
  { kernel, domain, element, does, field, elements, index, substep, world }: LostAccess,
  nameOf: (domain: string, element: number) => string,
): string {
  const whose = element === null ? `for elements of ${domain}` : `for ${nameOf(domain, element)} of ${domain}`;
  const named = index === NO_ELEMENT ? 'NO_ELEMENT, which the values that it came from could not be,' : null;
  const at = index === null ? 'at indices that it does not have' : `at index ${named ?? signed(index)}`;
  const where = `substep ${substep}${world === null ? '' : `, world ${world}`}`;
  const advice =
    does === 'reads'
      ? 'Where there is none, read at NO_ELEMENT, which gives 0, or not at all, by `when`'
      : 'Leave out what has no place there, by `when`, or add it at NO_ELEMENT';
  return (
    `kernel ${kernel}, ${whose}: ${does} ${field} ${at}, and there are ${elements} of ${field.split('.')[0]}, ` +
    `counted from 0 (${where}). ${advice}.`
  );
}

/** An index as it was meant: what is just below 2^32 was below 0. */
export const signed = (index: number): string => (index >= 2 ** 31 ? `${index - 2 ** 32}` : `${index}`);

/** Clears the records of runs forward, or of those back. */
export function forgetLosses(executor: Executor, losses: readonly Loss[], isBack: boolean): void {
  for (const { from, words } of stretchesOf(losses.filter((loss) => loss.isBack === isBack)))
    executor.clear('u32', from, words);
}

/** Records that lie next to each other, with the few words between them that nobody uses. */
function stretchesOf(losses: readonly Loss[]): { from: number; words: number; of: Loss[] }[] {
  const stretches: { from: number; words: number; of: Loss[] }[] = [];
  for (const loss of [...losses].sort((a, b) => a.place.offset - b.place.offset)) {
    const { offset, words } = loss.place;
    const last = stretches.at(-1);
    if (last && offset - (last.from + last.words) < PADDING) {
      last.words = offset + words - last.from;
      last.of.push(loss);
    } else stretches.push({ from: offset, words, of: [loss] });
  }
  return stretches;
}
/** Words to which places are rounded up. */
const PADDING = 4;
