import { forRange } from './control.ts';
import { min, select } from './functions.ts';
import type { Operand, U32 } from './scalar.ts';
import { u32 } from './scalar.ts';

/** Sort keys by position. */
export interface Keys {
  at(position: U32): U32;
}

/**
 * One pass of a merge sort: returns the position of the key that belongs at `place` once neighbouring sorted runs of
 * 2^level keys are merged, of `count` keys in total. Passes of level 0, 1, ... sort all keys. Every place finds its own
 * source by bisection, so nothing is scattered. The sort is stable. Source of the bisection: O. Green, S. Odeh, Y.
 * Birk, Merge Path, 2014.
 *
 * ```ts
 * kernel('merge', { domain: 'places', reads: { keys: fieldOn('places', u32Type) }, writes: { merged: u32Type } },
 *   ({ keys }, { element }) => ({ merged: keys.at(mergedSource(keys, element, level, count)) }));
 * ```
 */
export function mergedSource(keys: Keys, place: U32, level: number, count: number): U32 {
  const length = 2 ** level;
  const last = u32(Math.max(0, count - 1));
  // All positions are in range; the clamp says so, and reads need no check.
  const keyAt = (position: U32): U32 => keys.at(min(position, last));
  const base = place.shiftRight(level + 1).shiftLeft(level + 1);
  const second = min(base.add(length), u32(count));
  const end = min(base.add(2 * length), u32(count));
  const [sizeA, sizeB] = [second.sub(base), end.sub(second)];
  const within = place.sub(base);
  // Number of keys of the first run that precede this place, by bisection.
  const start = { low: select(within.gt(sizeB), within.sub(sizeB), u32(0)), high: min(within, sizeA) };
  const { low } = forRange(0, level + 1, start, (_, { low, high }) => {
    const middle = low.add(high).shiftRight(1);
    const isOpen = low.lt(high);
    const a = keyAt(base.add(middle));
    const b = keyAt(second.add(select(isOpen, within.sub(middle).sub(1), u32(0))));
    const isBefore = isOpen.and(a.le(b));
    return {
      low: select(isBefore, middle.add(1), low),
      high: select(isOpen.and(isBefore.not()), middle, high),
    };
  });
  const [atA, atB] = [base.add(low), second.add(within.sub(low))];
  const isFirst = low.lt(sizeA).and(atB.ge(end).or(keyAt(atA).le(keyAt(atB))));
  return min(select(isFirst, atA, atB), last);
}

/** Returns the first position among `count` sorted keys that holds `key` or a larger one; `count` if none does. */
export function lowerBound(keys: Keys, key: Operand<'u32'>, count: number): U32 {
  const start = { low: u32(0), high: u32(count) };
  const { low } = forRange(0, Math.ceil(Math.log2(count + 1)), start, (_, { low, high }) => {
    const middle = low.add(high).shiftRight(1);
    const isBefore = low.lt(high).and(keys.at(min(middle, u32(Math.max(0, count - 1)))).lt(key));
    return { low: select(isBefore, middle.add(1), low), high: select(isBefore, high, middle) };
  });
  return low;
}
