import { descendByDerivatives } from './by-derivatives.ts';
import { descendByValues } from './by-values.ts';
import type { DescentRun, Ends } from './descent-run.ts';

/** Descends from all points. */
export const descend = (run: DescentRun): Promise<Ends> =>
  run.unknowns.byValues === null ? descendByDerivatives(run) : descendByValues(run);
