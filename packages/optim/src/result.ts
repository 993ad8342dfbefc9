import { GradsimError, isGradsimError } from '@gradsim/core';
import type { DerivedEstimate } from './intervals/derived.ts';
import type { SearchControls } from './plan/plan.ts';
import type { Fit } from './posterior/fit.ts';
import type { Iteration, Stopped } from './posterior/found.ts';
import type { GoalVerdict, Verification } from './posterior/posterior.ts';
import type { DeterminedBy, UndeterminedDirection } from './posterior/uncertainty.ts';
import type { Method } from './problem/options.ts';
import type { ScalarPrior } from './problem/parameter.ts';
import type { Verdict } from './verdict/assess.ts';

/** Access to the present state of a search in {@link EstimateControls.onIteration}. */
export interface Current {
  /** Returns the best result so far, without standard errors, the parts of the loss and the predicted frames. */
  readonly best: () => Estimate;
  /** Reads all frames of a field that a loss or an observation uses, from the last run of the best start. */
  readonly frames: (field: string) => Promise<Float64Array>;
  /** Search method; `methodReason`: why it was chosen. As {@link Estimate.method} and {@link Estimate.methodReason}. */
  readonly method: Method;
  readonly methodReason: string;
}

export interface ParameterEstimate {
  readonly estimate: number;
  /**
   * Standard error from the derivatives at the estimate and the measured correlation of residuals. Infinity if nothing
   * determines the value; null if there are no standard errors, see {@link Estimate.withoutErrors}.
   */
  readonly standardError: number | null;
  /**
   * Cramer-Rao bound of the standard error: that from the Fisher information of the observations, with the noise that
   * their residuals have, and of priors. Only beside a finite standard error.
   */
  readonly bound?: number;
  /** 95 % confidence interval if the model is correct; infinite or null like the standard error. */
  readonly interval: readonly [number, number] | null;
  /**
   * 95 % interval from the profile of the loss; `bootstrap`: from the bootstrap. Only if
   * {@link UncertaintyOptions.intervals} requests it and there is enough data.
   */
  readonly profile?: readonly [number, number];
  readonly bootstrap?: readonly [number, number];
  /** Source that determines the value: observations, priors, range, or nothing; null without standard errors. */
  readonly determinedBy: DeterminedBy | null;
  /**
   * Part of the standard error due to each `given` quantity, by its name, in the unit of the estimate: if the quantity
   * were known exactly, the squared standard error would be smaller by the square of the part.
   */
  readonly ofGiven?: Readonly<Record<string, number>>;
  /** Prior of the value, as the problem says it, in `unit`; undefined for an unknown without a prior. */
  readonly prior?: ScalarPrior;
  readonly unit: string;
  readonly initial: number;
  readonly truth?: number;
}

/** A given quantity: its measured value, and its value fitted together with the unknowns. */
export interface GivenEstimate {
  readonly value: number;
  /** Standard deviation of the measurement, in `unit`. */
  readonly tolerance: number;
  /** Value fitted to the measurement and the film together; the measured value until the end of the search. */
  readonly estimate: number;
  /** Standard error of `estimate`, at most the tolerance; null until the end of the search. */
  readonly standardError: number | null;
  readonly unit: string;
  readonly truth?: number;
}

export interface ArrayEstimate {
  /** Estimated values, flat in the order [frame or window][element][component], see {@link ArraySpec}. */
  readonly estimate: Float64Array;
  /** Lengths of the axes: frames or windows of time, elements, components. */
  readonly shape: readonly [number, number, number];
  /** Standard error of each value, infinity if nothing determines it; null if there are no standard errors. */
  readonly standardErrors: Float64Array | null;
  readonly unit: string;
  readonly initial: Float64Array;
  readonly truth?: Float64Array;
}

/**
 * An unknown that did not move, since its gradient was exactly zero throughout the search: no loss depends on it,
 * unless it started at its optimum.
 */
export interface Unmoved {
  readonly name: string;
  /** Number of the unknown's values that did not move; `valueCount`: number of all its values. */
  readonly values: number;
  readonly valueCount: number;
  /** Sentence about it for the report. */
  readonly note: string;
}

export interface Estimate {
  /** Verdict on whether the result can be trusted: read this first. */
  readonly verdict: Verdict;
  /** Verdict on the goal, for problems with one. */
  readonly goal?: GoalVerdict;
  readonly parameters: Readonly<Record<string, ParameterEstimate>>;
  readonly arrays: Readonly<Record<string, ArrayEstimate>>;
  /** Given quantities, by the names of the problem's `given`; empty during the search. */
  readonly given: Readonly<Record<string, GivenEstimate>>;
  /** Derived quantities, by the names of the problem's `derived`. */
  readonly derived: Readonly<Record<string, DerivedEstimate>>;
  readonly loss: number;
  /** Value of each loss times its weight, by name; `observations` is the mean of squared residuals, without priors. */
  readonly parts: Readonly<Record<string, number>>;
  /** Root mean square of the weighted residuals; null without observations. */
  readonly residual: number | null;
  /** Goodness of fit; null without observations, and until the end of the search. */
  readonly fit: Fit | null;
  /** Results of {@link UncertaintyOptions.verify}; empty without it. */
  readonly verification: readonly Verification[];
  /** Reason why there are no standard errors and correlations; undefined if there are. */
  readonly withoutErrors?: string;
  readonly undetermined: readonly UndeterminedDirection[];
  /** Name of the unknown with the largest standard error relative to its natural step; null without standard errors. */
  readonly leastDetermined: string | null;
  /**
   * Correlation matrix of the estimates, in the order of `Object.keys(parameters)`, as rows; null for unknown entries.
   * Empty without standard errors.
   */
  readonly correlation: readonly (readonly (number | null)[])[];
  /** For gradient methods: unknowns that did not move, since their gradient was always zero. */
  readonly unmoved: readonly Unmoved[];
  readonly history: readonly Iteration[];
  readonly method: Method;
  /**
   * Reason for the method, as text that follows its name: it was an option of the problem, or follows from its losses.
   */
  readonly methodReason: string;
  /** Reason why the search ended. It does not imply that the result is right; {@link Estimate.verdict} tells. */
  readonly stopped: Stopped;
  readonly seconds: { readonly compile: number; readonly run: number };
  readonly seed: number;
  readonly device: string;
  /**
   * All frames at the estimate of each field that losses, observations and checks use, by key: flat
   * [frame][element][component].
   */
  readonly predicted: Readonly<Record<string, Float64Array>>;
}

export interface EstimateControls extends SearchControls {
  /** Called after every iteration with the maximum number of iterations; the search waits for the returned promise. */
  readonly onIteration?: (iteration: Iteration, of: number, current: Current) => unknown;
}

/**
 * Failure of an estimation after its first iteration. `best` is the best result so far, like {@link Current.best};
 * `cause` is the original error, whose code, place, field, element and hint this error takes over. Its code is
 * `optim/estimate-stopped` if the cause has none.
 */
export class EstimateError extends GradsimError {
  readonly #best: Estimate;

  constructor(message: string, best: Estimate, cause: unknown) {
    const known = isGradsimError(cause) ? cause : undefined;
    super(known?.code ?? 'optim/estimate-stopped', message, {
      pass: known?.where.pass,
      kernel: known?.where.kernel,
      field: known?.field,
      element: known?.element,
      hint: known?.hint,
      cause,
    });
    this.name = 'EstimateError';
    this.#best = best;
  }

  /** Best result so far. A getter, so that printing the error does not print thousands of numbers. */
  get best(): Estimate {
    return this.#best;
  }
}
