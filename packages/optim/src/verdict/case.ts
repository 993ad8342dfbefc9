import type { Precision } from '../covariance/precision.ts';
import type { Uncertainty } from '../covariance/uncertainty.ts';
import type { Verification } from '../departures/refinement.ts';
import type { End, Ends, Stopped } from '../descent/descent.ts';
import type { Explosion } from '../descent/exploding-gradients.ts';
import type { OtherIntervals } from '../intervals/other-intervals.ts';
import type { Fit } from '../noise/fit.ts';
import type { Objective } from '../objective/objective.ts';
import type { Finding } from '../problem/finding.ts';
import type { FullOptions } from '../problem/options.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { Unseen } from '../verdict/unseen.ts';

/** Everything about a finished estimation that its verdict is based on. */
export interface Case {
  readonly unknowns: Unknowns;
  readonly options: FullOptions;
  readonly stopped: Stopped;
  readonly history: readonly { readonly loss: number; readonly horizon: number }[];
  /** True if the worlds of the problem were drawn anew for each iteration. */
  readonly isDrawnAnew: boolean;
  /** Ends of all starts, best first. */
  readonly ends: readonly End[];
  readonly fit: Fit | null;
  readonly uncertainty: Uncertainty | null;
  /** Findings about departures: ways in which the film systematically differs from the model. */
  readonly departures: readonly Finding[];
  readonly unseen: readonly Unseen[];
  /**
   * For each unknown, the share of the output's change that its derivatives do not predict; null if it was not
   * measured.
   */
  readonly unexplained: readonly (number | null)[];
  /** Final losses of the restarts of the search, if the fit is not exact. */
  readonly restarts: Ends['restarts'];
  readonly verification: readonly Verification[];
  readonly others: OtherIntervals | null;
  /** Rounding noise of the derivatives; null if it was not measured. */
  readonly precision: Precision | null;
  readonly objective: Objective;
  /** True if the problem has a goal and no observations. */
  readonly hasGoal: boolean;
  readonly exploded: Explosion | undefined;
  /** Findings from profiles of the loss: about an unknown found by values alone, and about checked intervals. */
  readonly profiled: readonly Finding[];
  /** Findings of the problem's own `checks`. */
  readonly checked: readonly Finding[];
  /** Loss of the observations at the estimate, without priors; null without observations. */
  readonly observed: number | null;
  /** When the frames were taken, if that is uneven. */
  readonly unevenTimes: string | undefined;
  /** Rise of the loss that corresponds to a fall of twice the log-likelihood by 1; null if unknown. */
  readonly lossUnit: number | null;
}
