import type { DescentRun, Ends } from './descent-run.ts';
import { descendByGradient } from './gradient-descent.ts';
import { descendBySquares } from './least-squares-descent.ts';
import { descendOverWorlds } from './worlds-descent.ts';

/** Descends with the chosen method in all unknowns that have derivatives. */
export function descendByDerivatives(run: DescentRun): Promise<Ends> {
  const { worlds } = run;
  if (worlds) return descendOverWorlds({ ...run, worlds });
  return run.options.search.method === 'levenberg-marquardt' ? descendBySquares(run) : descendByGradient(run);
}
