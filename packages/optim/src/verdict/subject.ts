import type { Posterior } from '../posterior/posterior.ts';
import type { Problem } from '../problem/problem.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';

/** Subject of the checks of an estimate: a posterior, and the problem that it is of. */
export interface Subject extends Posterior {
  readonly problem: Problem;
  readonly unknowns: Unknowns;
}
