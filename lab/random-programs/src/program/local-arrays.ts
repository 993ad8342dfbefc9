import type { F32, LocalArray, U32, ValueType } from '@gradsim/core';
import { forRange, localArray, when } from '@gradsim/core';
import type { Random } from '../random.ts';

/** Ways in which a loop uses local arrays. */
const LOOPS = ['changes', 'looks up', 'tries', 'swaps'] as const;

/** Draws the literal of a statement with arrays: the numbers that determine what it does. */
export const drawArrays = (random: Random): readonly number[] => [
  random.whole(1, 5),
  random.whole(0, 6),
  random.whole(0, 3),
  random.whole(0, 1),
  random.whole(0, LOOPS.length - 1),
  random.whole(0, 1),
];

/** Arguments of a statement with arrays. Floats here stand for values of any type that has sums and products. */
export interface ArrayStatement {
  readonly literal: readonly number[];
  readonly at: U32;
  readonly start: F32;
  readonly other: F32;
  readonly type: ValueType<F32>;
  /** Computes the result of round `k` from a value. */
  round(k: U32, value: F32): F32;
}

/**
 * Value read from arrays after a loop that uses them; with `isAfter` in the literal, also from the array as it was
 * before the loop.
 */
export function valueOfArrays({ literal, at, start, other, type, round }: ArrayStatement): F32 {
  const [length, rounds, ahead, isZero, loop, isAfter] = literal;
  const made = localArray(length, isZero ? type : start).set(at, other);
  const found = ((): F32 => {
    switch (LOOPS[loop]) {
      case 'changes': {
        const change = (k: U32, list: LocalArray<F32>): LocalArray<F32> =>
          when(
            k.add(at).rem(3).lt(2),
            () => list.set(k, round(k, list.get(k.add(ahead)))),
            () => list,
          );
        const end = forRange(0, rounds, made, change);
        return end.get(at).add(end.get(ahead % length));
      }
      case 'looks up':
        return forRange(0, rounds, start, (k, sum) => round(k, sum.add(made.get(k.add(at)))));
      case 'tries':
        return forRange(0, rounds, start, (k, sum) => {
          const tried = made.set(k, sum);
          return round(k, tried.get(k.add(ahead)).add(tried.get(at)));
        });
      case 'swaps': {
        const both = { one: made, two: made.set(ahead % length, start) };
        const { one, two } = forRange(0, rounds, both, (k, { one, two }) => ({
          one: two.set(k, round(k, one.get(k.add(at)))),
          two: one,
        }));
        return one.get(at).add(two.get(ahead % length));
      }
    }
  })();
  return isAfter ? found.mul(made.get(at.rem(2))).add(made.get(0)) : found;
}
