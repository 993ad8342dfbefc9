import type { Departures } from './departures.ts';
import type { Fit } from './fit.ts';
import type { SearchEnd } from './found.ts';
import type { Uncertainty } from './uncertainty.ts';

/** 95 % intervals from a profile or a bootstrap, in addition to those from the curvature. */
export interface OtherIntervals {
  readonly method: 'profile' | 'bootstrap';
  /** Interval of each unknown's value; null if there was too little data. */
  readonly intervals: readonly (readonly [number, number])[] | null;
  /** Estimates of all unknowns in each bootstrap draw, [draw][unknown]; null for a profile. */
  readonly draws: readonly Float64Array[] | null;
  /** A point that fits clearly better than the estimate, if a profile found one. */
  readonly better: BetterPoint | null;
}

/** A point that fits clearly better than the estimate: its values, and the index of the unknown whose profile found it. */
export interface BetterPoint {
  readonly values: Float64Array;
  readonly unknown: number;
}

/** An interval from the profile of the loss that replaces a much shorter one from the curvature. */
export interface ReplacedInterval {
  /** Index of the unknown. */
  readonly unknown: number;
  /** Interval from the profile; infinite where the loss does not rise enough. */
  readonly interval: readonly [number, number];
  readonly curvature: readonly [number, number];
}

/** Profile of the loss over the unknown found by values alone. */
export interface ProfileByValues {
  /** For the lower and the upper side: true if the loss does not rise enough before the end of the unknown's range. */
  readonly isOpen: readonly [boolean, boolean];
  /** Value outside of the interval that fits as well as the estimate; null if there is none. */
  readonly otherMinimum: number | null;
}

/** First frames from which standard errors come, since derivatives of later ones do not predict changes. */
export interface SmoothBeginning {
  readonly frames: number;
  /** Names of the unknowns whose derivatives do not predict changes over all frames. */
  readonly names: readonly string[];
}

/** Rounding noise of the derivatives at an estimate. */
export interface Precision {
  /** Names of the unknowns; an array is one entry, whose gradient is judged as a whole. */
  readonly names: readonly string[];
  /** Relative change of the derivatives under perturbation, by name; infinite if the run fails, 0 if there are none. */
  readonly noise: readonly number[];
  /**
   * Normal equations at the same point from perturbed runs, as far as these did not fail; none of runs in which rounding
   * cannot matter.
   */
  readonly perturbedSystems: readonly PerturbedSystem[];
  /** True if no perturbed run failed. */
  readonly isWhole: boolean;
}

/** J^T r (`score`) and J^T J (`hessian`) of a run from initial values perturbed by one rounding error. */
export interface PerturbedSystem {
  readonly score: Float64Array;
  readonly hessian: Float64Array;
}

/** Result of estimating the parameters again with a finer discretisation. */
export interface Verification {
  /** Refinement: the substep was halved, or a finer mesh came from the problem's `refined`. */
  readonly refined: 'substep' | 'mesh';
  /** Parameter values of the finer estimate, by name; null if the finer model could not be run. */
  readonly parameters: Readonly<Record<string, number>> | null;
}

/** Verdict on whether a goal was reached and, if not, why. */
export interface GoalVerdict {
  readonly reached: boolean;
  /** Distance from the goal at the estimate, in `unit`; `start`: at the initial values. Null if it is not finite. */
  readonly distance: number | null;
  readonly start: number | null;
  /**
   * Largest distance that counts as reached, in `unit`; null if it is a share of a start distance that is not finite.
   */
  readonly within: number | null;
  readonly unit: string;
  /** Sentence for the report that says whether the goal was reached. */
  readonly note: string;
}

/**
 * What the observations and priors say about the unknowns: a point, its uncertainty, and all facts that the checks of a
 * verdict are based on. Lists are in the order of `names`.
 */
export interface Posterior {
  /** Name of each value; for an array with the element and component. Fitted given quantities come last. */
  readonly names: readonly string[];
  /** Coordinates in which the unknowns are searched: the values through their `transform`. */
  readonly coordinates: Float64Array;
  /** Values, in the units of the problem. */
  readonly values: Float64Array;
  readonly loss: number;
  /** Value of each loss times its weight, by name; `observations` is the mean of squared residuals, without priors. */
  readonly parts: Readonly<Record<string, number>>;
  /** Mean of squared residuals, without priors; null without observations. */
  readonly meanSquare: number | null;
  /** True if the loss is no larger than that of a perfect fit in single precision. */
  readonly isExact: boolean;
  /** End of the search; null for a point that was found elsewhere. */
  readonly search: SearchEnd | null;
  /** All frames of the recorded fields, by key: flat [frame][element][component]. */
  readonly predicted: Readonly<Record<string, Float64Array>>;
  /** Goodness of fit; null without observations. */
  readonly fit: Fit | null;
  /** Number of values compared in each observation, in the order of `fit.observations`. */
  readonly counts: readonly number[];
  /** Covariance, intervals and directions; null if there are no standard errors. */
  readonly uncertainty: Uncertainty | null;
  /** Reason why there is no `uncertainty`; `isAvailable`: true if an option would compute it. Null if there is. */
  readonly withoutErrors: { readonly reason: string; readonly isAvailable: boolean } | null;
  /** Rise of the loss that corresponds to a fall of twice the log-likelihood by 1; null without `uncertainty`. */
  readonly lossUnit: number | null;
  /** Departures of the film from the model; null if they were not searched for. */
  readonly departures: Departures | null;
  /**
   * For each unknown, the share of the output's change that its derivatives do not predict; null if it was not
   * measured. Empty without `uncertainty`.
   */
  readonly mispredicted: readonly (number | null)[];
  /** Rounding noise of the derivatives; null if it was not measured. */
  readonly precision: Precision | null;
  readonly smoothBeginning: SmoothBeginning | null;
  readonly profileByValues: ProfileByValues | null;
  /** Intervals that were checked and replaced; `better`: a better point that such a profile found. */
  readonly replaced: readonly ReplacedInterval[];
  readonly better: BetterPoint | null;
  /** Intervals by profile or bootstrap that the options request; null if they request none. */
  readonly otherIntervals: OtherIntervals | null;
  /** Estimates with a finer discretisation, see {@link UncertaintyOptions.verify}. */
  readonly verification: readonly Verification[];
  /** Verdict on the goal; null for a problem without one. */
  readonly goal: GoalVerdict | null;
}

/** Names of all properties of a posterior, which checks may need. */
export const POSTERIOR_PROPERTIES: readonly (keyof Posterior)[] = [
  ...([
    'names',
    'coordinates',
    'values',
    'loss',
    'parts',
    'meanSquare',
    'isExact',
    'search',
    'predicted',
    'fit',
  ] as const),
  ...(['counts', 'uncertainty', 'withoutErrors', 'lossUnit', 'departures', 'mispredicted', 'precision'] as const),
  ...(['smoothBeginning', 'profileByValues', 'replaced', 'better', 'otherIntervals', 'verification', 'goal'] as const),
];
