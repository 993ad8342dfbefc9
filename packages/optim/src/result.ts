import { GradsimError, isGradsimError } from '@gradsim/core';
import type { DerivedEstimate } from './inference/derived.ts';
import type { Fit } from './inference/fit.ts';
import type { GoalVerdict } from './inference/goal-verdict.ts';
import type { DeterminedBy, UndeterminedDirection } from './inference/uncertainty.ts';
import type { Verdict } from './inference/verdict.ts';
import type { Verification } from './inference/verify.ts';
import type { Method } from './problem/options.ts';
import type { Stopped } from './search/descent-run.ts';
import type { IterationNotes, SearchControls } from './search/plan.ts';

/** One line of the loss history. */
export interface Iteration extends IterationNotes {
  readonly iteration: number;
  /** Loss of the best start so far. */
  readonly loss: number;
  /** Share of the frames that the loss is over, see {@link SearchOptions.horizons}. */
  readonly horizon: number;
  /** Values of the best start, by parameter name. */
  readonly parameters: Readonly<Record<string, number>>;
  /** Seconds since the start. */
  readonly seconds: number;
}

/** Access to the current state in {@link EstimateControls.onIteration}. */
export interface Current {
  /** The best so far, as in the result, but without standard errors, the parts of the loss and the predicted frames. */
  readonly best: () => Estimate;
  /** Every frame of a field that a loss or an observation uses, from the last run of the best start. */
  readonly frames: (field: string) => Promise<Float64Array>;
  /** Method and its reason, as {@link Estimate.method} and {@link Estimate.methodReason}. */
  readonly method: Method;
  readonly methodReason: string;
}

export interface ParameterEstimate {
  readonly estimate: number;
  /**
   * Standard error from the derivatives at the estimate and the measured correlation of residuals. Infinity where
   * nothing determines the value; null without standard errors: see {@link Estimate.withoutErrors}.
   */
  readonly standardError: number | null;
  /**
   * Interval that holds the value with a probability of 95 %, if the model is right; infinite and null like the
   * standard error.
   */
  readonly interval: readonly [number, number] | null;
  /**
   * 95 % interval from the profile of the loss, or from a bootstrap, if {@link UncertaintyOptions.intervals} requested
   * it and there was enough data.
   */
  readonly profile?: readonly [number, number];
  readonly bootstrap?: readonly [number, number];
  /** Source of the value; null without standard errors. */
  readonly determinedBy: DeterminedBy | null;
  /**
   * Part of the standard error that each `given` quantity causes, in the unit of the estimate: if it were known
   * exactly, the squared standard error would be less by the square of its part.
   */
  readonly ofGiven?: Readonly<Record<string, number>>;
  readonly unit: string;
  readonly initial: number;
  readonly truth?: number;
}

/** A given quantity: its measured value, and its value in the fit. */
export interface GivenEstimate {
  readonly value: number;
  /** Standard deviation of the measurement. */
  readonly tolerance: number;
  /** Value from the measurement and the film together; until the end of the search the measured one. */
  readonly estimate: number;
  /** Standard error, at most the tolerance; null before the end. */
  readonly standardError: number | null;
  readonly unit: string;
  readonly truth?: number;
}

export interface ArrayEstimate {
  /** Estimated values, [frame or window][element][component], see {@link ArraySpec}. */
  readonly estimate: Float64Array;
  /** Numbers of frames or windows of time, elements, components. */
  readonly shape: readonly [number, number, number];
  /** Standard errors: infinity where nothing determines a value; null without any. */
  readonly standardErrors: Float64Array | null;
  readonly unit: string;
  readonly initial: Float64Array;
  readonly truth?: Float64Array;
}

/**
 * An unknown whose gradient was exactly zero throughout the search, so that it did not move: no loss depends on it,
 * unless it started at its optimum.
 */
export interface Unmoved {
  readonly name: string;
  /** Number of such values. */
  readonly values: number;
  readonly of: number;
  /** A sentence for the report. */
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
  /** Weighted losses by name, including `observations`; without priors. */
  readonly parts: Readonly<Record<string, number>>;
  /** Root mean square of the residuals; null where there are no observations. */
  readonly residual: number | null;
  /** Null without observations, and before the end. */
  readonly fit: Fit | null;
  /** Results of {@link UncertaintyOptions.verify}; empty without it. */
  readonly verification: readonly Verification[];
  /** Reason why there are no standard errors and correlations; absent if there are. */
  readonly withoutErrors?: string;
  readonly undetermined: readonly UndeterminedDirection[];
  /** The unknown with the largest standard error relative to its natural step; null without standard errors. */
  readonly leastDetermined: string | null;
  /**
   * Correlations of the estimates, in the order of `Object.keys(parameters)`, row by row; null where unknown. Empty
   * without standard errors.
   */
  readonly correlation: readonly (readonly (number | null)[])[];
  /** Unknowns that no gradient reached, for gradient methods. */
  readonly unmoved: readonly Unmoved[];
  readonly history: readonly Iteration[];
  readonly method: Method;
  /** Reason for the method, in words that follow its name: the problem's choice, or its kind of losses. */
  readonly methodReason: string;
  /** Reason why the search ended. This does not tell whether the result is right; {@link Estimate.verdict} does. */
  readonly stopped: Stopped;
  readonly seconds: { readonly compile: number; readonly run: number };
  readonly seed: number;
  readonly device: string;
  /**
   * All frames of the fields that losses, observations and checks use, at the estimate: [frame][element][component].
   */
  readonly predicted: Readonly<Record<string, Float64Array>>;
}

export interface EstimateControls extends SearchControls {
  /** Called after every iteration; the next one begins when the returned promise resolves. */
  readonly onIteration?: (iteration: Iteration, of: number, current: Current) => unknown;
}

/**
 * Failure of an estimation after its first iteration: `best` is the best so far, like {@link Current.best}; `cause` is
 * the reason, and gives the error its code, place, field, element and hint; `optim/estimate-stopped` if it has none.
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

  /** Not an own property: printing the error must not print thousands of numbers. */
  get best(): Estimate {
    return this.#best;
  }
}
