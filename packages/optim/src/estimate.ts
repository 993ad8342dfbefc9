import { inferIn } from './infer.ts';
import type { Posterior } from './posterior/posterior.ts';
import type { Prepared } from './prepare.ts';
import { prepare, whileRunning } from './prepare.ts';
import type { Problem } from './problem/problem.ts';
import type { Estimate, EstimateControls } from './result.ts';
import { resultOfUnknowns } from './result-of-unknowns.ts';
import { searchIn } from './search.ts';
import type { Verdict } from './verdict/assess.ts';
import { assess } from './verdict/assess.ts';

/**
 * Estimates a problem's unknowns: the values that minimise the squared residuals and the other losses, how sure they
 * are, and whether they are to be trusted. These are three acts, {@link search}, {@link infer} and {@link assess}.
 *
 * An abort of `controls.signal` returns the best point so far, with `stopped: 'interrupted'`.
 *
 * ```ts
 * const { parameters } = await estimate(problem, { device: await selectDevice('auto') });
 * console.log(parameters.mass.estimate, parameters.mass.standardError);
 * ```
 * @throws before anything runs, if the problem is inconsistent; later, if no start gives finite values, or if a loss
 * returns something invalid. A failure after the first iteration is an {@link EstimateError} that contains the best
 * point so far.
 */
export async function estimate(problem: Problem, controls: EstimateControls): Promise<Estimate> {
  const prepared = await prepare(problem, controls);
  return whileRunning(prepared, async () => {
    const found = await searchIn(prepared);
    const { posterior, prepared: by } = await inferIn(prepared, found, true);
    return resultOf(by, posterior, assess(problem, posterior));
  });
}

/** Makes the result of an estimation. */
function resultOf(prepared: Prepared, posterior: Posterior, verdict: Verdict): Estimate {
  const { loss, coordinates, fit, verification, goal, parts, predicted, meanSquare } = posterior;
  const { log, problem, unknowns, objective, options, hadGradient } = prepared;
  const { derived = {} } = problem;
  const { uncertainty, otherIntervals } = posterior;
  const found = {
    options,
    derived,
    unknowns,
    objective,
    hadGradient,
    end: { x: coordinates, loss },
    uncertainty,
    otherIntervals,
  };
  return {
    ...log.resultAtEnd(loss, posterior.search!.stopped),
    fit,
    verdict,
    verification,
    ...(goal ? { goal } : {}),
    ...resultOfUnknowns(found, meanSquare),
    parts,
    predicted,
  };
}
