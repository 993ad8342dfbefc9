import type { Check, Maybe } from '../../posterior/check.ts';
import { formatDistinctFrom, twoDigits } from '../../posterior/sentences.ts';
import type { Usual } from '../../problem/parameter.ts';
import type { Subject } from '../subject.ts';

/** Distance from the usual range, in standard errors, above which a value is questioned. */
const MIN_DISTANCE = 3;

/** Remark that a value lies outside of the range that is usual, beyond its standard error; null if it does not. */
export function unusualValue(
  name: string,
  value: number,
  error: number,
  { unit, usual }: { readonly unit?: string; readonly usual?: Usual },
): Maybe {
  if (!usual) return null;
  const [low, high] = usual.range;
  const off = Math.max(low - value, value - high);
  if (!(off > MIN_DISTANCE * error)) return null;
  const of = unit ? ` ${unit}` : '';
  const note = `${name} is ${formatDistinctFrom(value, value < low ? low : high)} ± ${twoDigits(error)}${of}, and ${usual.of} is ${low} to ${high}${of}. ${usual.question}`;
  return { unknowns: [name], note };
}

/** Finds unknowns whose values lie outside of the range that is usual, beyond their standard errors. */
export const unusual: Check<Subject, 'uncertainty'> = {
  kind: 'unusual',
  // Before a search that did not converge, for which the same mistake is a reason.
  rank: 115,
  isCritical: true,
  needs: ['uncertainty'],
  find: ({ unknowns, coordinates, uncertainty }) => {
    const values = unknowns.numbers(unknowns.values(coordinates));
    return unknowns.blocks.map((block) =>
      unusualValue(block.name, values[block.name], uncertainty.standardErrors[block.first], block),
    );
  },
};
