import type { Check } from '../../posterior/check.ts';
import { distinctFrom, twoDigits } from '../../posterior/sentences.ts';
import type { Subject } from '../subject.ts';

/** Distance from the usual range, in standard errors, above which a value is questioned. */
const FAR = 3;

/** Finds unknowns whose values lie outside of the range that is usual, beyond their standard errors. */
export const unusual: Check<Subject, 'uncertainty'> = {
  kind: 'unusual',
  // Before a search that did not converge, for which the same mistake is a reason.
  rank: 115,
  isCritical: true,
  needs: ['uncertainty'],
  find: ({ unknowns, x, uncertainty }) => {
    const values = unknowns.numbers(unknowns.values(x));
    return unknowns.blocks.map(({ name, first, unit, usual }) => {
      if (!usual) return null;
      const [value, error] = [values[name], uncertainty.standardErrors[first]];
      const [low, high] = usual.range;
      const off = Math.max(low - value, value - high);
      const of = unit ? ` ${unit}` : '';
      const note = `${name} is ${distinctFrom(value, value < low ? low : high)} ± ${twoDigits(error)}${of}, and ${usual.of} is ${low} to ${high}${of}. ${usual.question}`;
      return off > FAR * error && { unknowns: [name], note };
    });
  },
};
