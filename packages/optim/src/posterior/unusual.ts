import type { Usual } from '../problem/parameter.ts';
import type { Maybe } from './check.ts';
import { distinctFrom, twoDigits } from './sentences.ts';

/** Distance from the usual range, in standard errors, above which a value is questioned. */
const FAR = 3;

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
  if (!(off > FAR * error)) return null;
  const of = unit ? ` ${unit}` : '';
  const note = `${name} is ${distinctFrom(value, value < low ? low : high)} ± ${twoDigits(error)}${of}, and ${usual.of} is ${low} to ${high}${of}. ${usual.question}`;
  return { unknowns: [name], note };
}
