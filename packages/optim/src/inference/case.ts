import type { Objective } from '../objective/objective.ts';
import type { Finding } from '../problem/finding.ts';
import type { FullOptions } from '../problem/options.ts';
import type { End, Ends, Stopped } from '../search/descent-run.ts';
import type { Explosion } from '../search/explosion.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { Fit } from './fit.ts';
import type { OtherIntervals } from './intervals.ts';
import type { Precision } from './precision.ts';
import type { Uncertainty } from './uncertainty.ts';
import type { Verification } from './verify.ts';

/** Everything about a finished estimation that its verdict depends on. */
export interface Case {
  readonly unknowns: Unknowns;
  readonly options: FullOptions;
  readonly stopped: Stopped;
  readonly history: readonly { readonly loss: number; readonly horizon: number }[];
  /** True if each iteration had worlds of its own. */
  readonly isDrawnAnew: boolean;
  /** Ends of all starts, best first. */
  readonly ends: readonly End[];
  readonly fit: Fit | null;
  readonly uncertainty: Uncertainty | null;
  /** Findings of departures of the film from the model. */
  readonly departures: readonly Finding[];
  /** Share of changes that derivatives do not predict, by unknown. */
  readonly unexplained: readonly (number | null)[];
  /** Losses of restarts, for fits that are not exact. */
  readonly restarts: Ends['restarts'];
  readonly verification: readonly Verification[];
  readonly others: OtherIntervals | null;
  /** Rounding noise of the derivatives; null if it was not measured. */
  readonly precision: Precision | null;
  readonly objective: Objective;
  /** True if there is a goal, and nothing was measured. */
  readonly hasGoal: boolean;
  readonly exploded: Explosion | undefined;
  /** Findings from profiles of the loss: about the unknown found by values alone, and about checked intervals. */
  readonly profiled: readonly Finding[];
  /** Findings of the problem's own checks. */
  readonly checked: readonly Finding[];
  /** Loss of the observations at the estimate, without priors; null where there are none. */
  readonly observed: number | null;
  /** Rise of the loss for one unit of twice the log-likelihood; null if unknown. */
  readonly lossUnit: number | null;
}
