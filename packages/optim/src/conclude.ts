import type { Simulation } from '@gradsim/core';
import type { Sureness } from './covariance/posterior-at.ts';
import { fitAt, lossUnitOf } from './covariance/posterior-at.ts';
import type { Precision } from './covariance/precision.ts';
import type { Verification } from './departures/refinement.ts';
import type { Ends, Stopped } from './descent/descent.ts';
import type { OtherIntervals } from './intervals/other-intervals.ts';
import type { Prepared } from './prepare.ts';
import { keyOf } from './problem/field-key.ts';
import type { Finding } from './problem/finding.ts';
import type { GoalSpec } from './problem/goal.ts';
import type { Estimate } from './result.ts';
import { resultOfUnknowns } from './result-of-unknowns.ts';
import type { Unknowns } from './unknowns/unknowns.ts';
import { departureFindings } from './verdict/departures.ts';
import type { GoalVerdict } from './verdict/goal.ts';
import { goalVerdict } from './verdict/goal.ts';
import { unseenBy } from './verdict/unseen.ts';
import { verdictOf } from './verdict/verdict.ts';

/** End of an estimation with its uncertainty: the input of {@link conclude}. */
export interface Inferred {
  readonly ends: Ends;
  /** Standard errors and their evidence; null if there are none. */
  readonly sureness: Sureness | null;
  readonly precision: Precision | null;
  readonly others: OtherIntervals | null;
  readonly verification: readonly Verification[];
  /** Findings from profiles of the loss: about an unknown found by values alone, and about checked intervals. */
  readonly profiled: readonly Finding[];
}

/**
 * Makes the result of an estimation: the model's output at the estimate, its fit to the observations, and the verdict.
 */
export async function conclude(
  prepared: Prepared,
  { ends, sureness, precision, others, verification, profiled }: Inferred,
): Promise<Estimate> {
  const { unknowns, objective, options, predictor, recorded, moved, log } = prepared;
  const { goal: spec, checks = [], worlds, derived = {}, clockTolerance } = prepared;
  const [end] = ends.ends;
  const uncertainty = sureness?.uncertainty ?? null;
  unknowns.apply(predictor, [end.x]);
  predictor.forward();
  const losses = await objective.parts(predictor, end.x);
  const predicted: Record<string, Float64Array> = {};
  for (const key of recorded) predicted[key] = await predictor.readFrames(key);
  const fit = await fitAt(predictor, { unknowns, objective }, uncertainty);
  const ending = log.ending(end.loss, ends.stopped);
  const goal = spec && (await reached(spec, { predictor, unknowns, predicted, stopped: ends.stopped }));
  const verdict = verdictOf({
    unknowns,
    options,
    stopped: ends.stopped,
    history: ending.history,
    ends: ends.ends,
    fit,
    uncertainty,
    departures:
      sureness && objective.residuals
        ? departureFindings(
            unknowns,
            sureness.departures,
            objective.residuals.prepared.map(({ field }) => field),
          )
        : [],
    unseen:
      uncertainty && sureness?.departures
        ? unseenBy(sureness.departures.effects, unknowns, uncertainty, clockTolerance !== undefined)
        : [],
    unexplained: sureness?.evidence.unexplained ?? [],
    verification,
    others,
    precision,
    objective,
    profiled,
    hasGoal: goal !== undefined,
    exploded: ends.exploded,
    isDrawnAnew: worlds !== undefined && worlds.anew !== false,
    unevenTimes: prepared.unevenTimes,
    checked: checks.flatMap(({ field, of }) => {
      const finding = of(predicted[keyOf(field)]);
      return finding ? [{ kind: 'check' as const, ...finding }] : [];
    }),
    restarts: objective.isExact(end.loss) ? undefined : ends.restarts,
    observed: objective.residuals ? losses.observations : null,
    lossUnit: sureness ? lossUnitOf(sureness, objective) : null,
  });
  const found = { options, derived, unknowns, objective, moved, end, uncertainty, others };
  return {
    ...ending,
    fit,
    verdict,
    verification,
    ...(goal ? { goal } : {}),
    ...resultOfUnknowns(found, objective.residuals ? losses.observations : null),
    parts: losses,
    predicted,
  };
}

/** Verdict on the goal, from runs at the estimate and at the initial values. The latter is the predictor's last run. */
async function reached(
  goal: GoalSpec,
  found: {
    readonly predictor: Simulation;
    readonly unknowns: Unknowns;
    readonly predicted: Estimate['predicted'];
    readonly stopped: Stopped;
  },
): Promise<GoalVerdict> {
  const { predictor, unknowns, predicted, stopped } = found;
  const key = keyOf(goal.field);
  unknowns.apply(predictor, [unknowns.given()]);
  predictor.forward();
  const values = { start: await predictor.readFrames(key), end: predicted[key] };
  return goalVerdict(goal, values, stopped);
}
