import { GradsimError } from '@gradsim/core';
import type { Check } from '../posterior/check.ts';
import { findingsOf, isTrusted, remarksOf } from '../posterior/check.ts';
import type { Finding } from '../posterior/finding.ts';
import type { Posterior } from '../posterior/posterior.ts';
import type { Problem } from '../problem/problem.ts';
import { Unknowns } from '../unknowns/unknowns.ts';
import { unevenTimes } from './checks/clock.ts';
import { CHECKS } from './checks.ts';
import type { Unseen } from './unseen.ts';
import { unseenErrors } from './unseen.ts';

/** Verdict on whether a result can be trusted, with the findings against it. */
export interface Verdict {
  /** True if there is no critical finding. */
  readonly trusted: boolean;
  /** Findings, critical ones first. */
  readonly findings: readonly Finding[];
  /** Small errors of clock and model that the observations do not show, and that matter to an unknown. */
  readonly unseen: readonly Unseen[];
}

/**
 * Assesses whether a posterior is to be trusted: the last act of {@link estimate}. It runs nothing. What another program
 * found is assessed by {@link infer} at its values.
 *
 * ```ts
 * const { trusted, findings } = assess(problem, await infer(problem, { parameters }, { device }));
 * ```
 * @param problem problem of the posterior; `options.checks` are made beside those of every estimate.
 * @throws if the posterior is of another problem.
 */
export function assess(problem: Problem, posterior: Posterior): Verdict {
  const { goal, options, clockTolerance } = problem;
  const unknowns = unknownsOf(problem, posterior);
  // With a goal only its own checks count.
  const checks = goal ? CHECKS.map(informing) : CHECKS;
  const own = options?.checks ?? [];
  const findings = findingsOf({ ...posterior, problem, unknowns }, [...checks, ...own, unevenTimes]);
  const { uncertainty, departures } = posterior;
  const isClockGiven = clockTolerance !== undefined;
  const unseen = uncertainty && departures ? unseenErrors(departures.effects, unknowns, uncertainty, isClockGiven) : [];
  return { trusted: isTrusted(findings), findings, unseen };
}

/** Copy of a check whose findings are never critical. */
const informing = <Of, Needs extends keyof Of>(check: Check<Of, Needs>): Check<Of, Needs> => ({
  ...check,
  find: (of, before) => remarksOf(check.find(of, before)).map((remark) => ({ ...remark, isCritical: false })),
});

/** Unknowns of a problem as a posterior has them: with given quantities, if these were fitted. */
function unknownsOf(problem: Problem, { values }: Posterior): Unknowns {
  const kept = new Unknowns(problem);
  const unknowns = kept.count === values.length ? kept : new Unknowns(problem, 'fitted');
  if (unknowns.count === values.length) return unknowns;
  throw new GradsimError(
    'optim/other-problem',
    `The posterior has ${values.length} values, and the problem ${kept.count} unknowns: it is of another problem.`,
  );
}
