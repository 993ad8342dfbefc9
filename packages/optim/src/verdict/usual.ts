import type { Finding } from '../problem/finding.ts';
import type { Case } from './case.ts';
import { short, toldFrom } from './numbers.ts';

/** Distance from the usual range, in standard errors, above which a value is questioned. */
const FAR = 3;

/** Makes findings about unknowns whose values lie outside of the range that is usual, beyond their standard errors. */
export function unusual({ unknowns, ends, uncertainty }: Case): Finding[] {
  const values = unknowns.numbers(unknowns.values(ends[0].x));
  return unknowns.blocks.flatMap(({ name, first, unit, usual }): Finding[] => {
    if (!usual || !uncertainty) return [];
    const [value, error] = [values[name], uncertainty.standardErrors[first]];
    const [low, high] = usual.range;
    const off = Math.max(low - value, value - high);
    if (!(off > FAR * error)) return [];
    const of = unit ? ` ${unit}` : '';
    return [
      {
        kind: 'unusual',
        isCritical: true,
        unknowns: [name],
        note: `${name} is ${toldFrom(value, value < low ? low : high)} ± ${short(error)}${of}, and ${usual.of} is ${low} to ${high}${of}. ${usual.question}`,
      },
    ];
  });
}
