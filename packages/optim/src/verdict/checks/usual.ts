import type { Check } from '../../posterior/check.ts';
import { unusualValue } from '../../posterior/unusual.ts';
import type { Subject } from '../subject.ts';

/** Finds unknowns whose values lie outside of the range that is usual, beyond their standard errors. */
export const unusual: Check<Subject, 'uncertainty'> = {
  kind: 'unusual',
  // Before a search that did not converge, for which the same mistake is a reason.
  rank: 115,
  isCritical: true,
  needs: ['uncertainty'],
  find: ({ unknowns, x, uncertainty }) => {
    const values = unknowns.numbers(unknowns.values(x));
    return unknowns.blocks.map((block) =>
      unusualValue(block.name, values[block.name], uncertainty.standardErrors[block.first], block),
    );
  },
};
