import type { Ends } from '../posterior/found.ts';
import type { Descent } from './descent.ts';
import { descendByValues } from './golden-section.ts';
import { descendByGradient } from './gradient-methods.ts';
import { descendBySquares } from './least-squares.ts';
import { descendOverWorlds } from './mean-over-worlds.ts';

/** Descends from all starting points, by derivatives or, if an unknown is found by values alone, by values. */
export const descend = (run: Descent): Promise<Ends> =>
  run.unknowns.byValues === null ? descendByDerivatives(run) : descendByValues(run, descendByDerivatives);

/** Descends with the chosen method in all unknowns that have derivatives. */
export function descendByDerivatives(run: Descent): Promise<Ends> {
  const { worlds } = run;
  if (worlds) return descendOverWorlds({ ...run, worlds });
  return run.options.search.method === 'levenberg-marquardt' ? descendBySquares(run) : descendByGradient(run);
}
