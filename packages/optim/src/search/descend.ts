import { descendByDerivatives } from './by-derivatives.ts';
import { descendByValues } from './by-values.ts';
import type { DescentRun, Ends } from './descent-run.ts';

/** Descends from all starting points, by derivatives or, if an unknown is found by values alone, by values. */
export const descend = (run: DescentRun): Promise<Ends> =>
  run.unknowns.byValues === null ? descendByDerivatives(run) : descendByValues(run);
