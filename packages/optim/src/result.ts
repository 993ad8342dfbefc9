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
  /** Of the best start so far. */
  readonly loss: number;
  /** Share of the frames that the loss is over, see {@link SearchOptions.horizons}. */
  readonly horizon: number;
  /** Values of the best start, by parameter name. */
  readonly parameters: Readonly<Record<string, number>>;
  /** Seconds since the start. */
  readonly seconds: number;
}

/** What {@link EstimateControls.onIteration} can look at while it runs. */
export interface Current {
  /** The best so far, as the result has it: without standard errors, the parts of the loss and what it shows. */
  readonly best: () => Estimate;
  /** Every frame of a field that a loss or an observation looks at, as the last run of the best start shows it. */
  readonly frames: (field: string) => Promise<Float64Array>;
  /** As {@link Estimate.method} and {@link Estimate.methodReason}. */
  readonly method: Method;
  readonly methodReason: string;
}

export interface ParameterEstimate {
  readonly estimate: number;
  /**
   * From the derivatives at the estimate, with how residuals go together as measured. Infinity where nothing determines
   * the value; null where there are no standard errors at all: see {@link Estimate.withoutErrors}.
   */
  readonly standardError: number | null;
  /** Holds the value with a probability of 95 %, if the model is right; infinite and null like the standard error. */
  readonly interval: readonly [number, number] | null;
  /**
   * The same interval from the profile of the loss, or from a bootstrap, where {@link UncertaintyOptions.intervals} asked for
   * it and there was enough to find it with.
   */
  readonly profile?: readonly [number, number];
  readonly bootstrap?: readonly [number, number];
  /** Null without standard errors. */
  readonly determinedBy: DeterminedBy | null;
  /**
   * Of problems with `given` quantities: the part of the standard error that each makes, in the unit of the estimate. Were it
   * known exactly, the squared standard error would be less by the square of its part.
   */
  readonly ofGiven?: Readonly<Record<string, number>>;
  readonly unit: string;
  readonly initial: number;
  readonly truth?: number;
}

/** A quantity that was given: what was measured, and what the fit makes of it. */
export interface GivenEstimate {
  readonly value: number;
  /** Standard deviation of the measurement. */
  readonly tolerance: number;
  /** Value by the measurement and the film together; until the end of the search the measured one. */
  readonly estimate: number;
  /** At most the tolerance; null before the end. */
  readonly standardError: number | null;
  readonly unit: string;
  readonly truth?: number;
}

export interface ArrayEstimate {
  /** [frame or window][element][component], as {@link ArraySpec} says. */
  readonly estimate: Float64Array;
  /** Frames or windows of time, elements, components. */
  readonly shape: readonly [number, number, number];
  /** Infinity where nothing determines a value; null where there are none at all. */
  readonly standardErrors: Float64Array | null;
  readonly unit: string;
  readonly initial: Float64Array;
  readonly truth?: Float64Array;
}

/**
 * An unknown whose gradient was exactly zero wherever the search went, so that it stayed where it began: no loss depends on
 * it, unless it began where it is best.
 */
export interface Unmoved {
  readonly name: string;
  /** How many of its values. */
  readonly values: number;
  readonly of: number;
  /** A sentence for the report. */
  readonly note: string;
}

export interface Estimate {
  /** Whether all this can be trusted: look here first. */
  readonly verdict: Verdict;
  /** Of problems with a goal: whether it was reached. */
  readonly goal?: GoalVerdict;
  readonly parameters: Readonly<Record<string, ParameterEstimate>>;
  readonly arrays: Readonly<Record<string, ArrayEstimate>>;
  /** By the names of the problem's `given`; empty while the search goes on. */
  readonly given: Readonly<Record<string, GivenEstimate>>;
  /** By the names of the problem's `derived`. */
  readonly derived: Readonly<Record<string, DerivedEstimate>>;
  readonly loss: number;
  /** Each loss by its name, `observations` among them, weighted as they are added; without priors. */
  readonly parts: Readonly<Record<string, number>>;
  /** Root mean square of the residuals; null where there are no observations. */
  readonly residual: number | null;
  /** Null where there are no observations, and before the end. */
  readonly fit: Fit | null;
  /** What {@link UncertaintyOptions.verify} found; empty without it. */
  readonly verification: readonly Verification[];
  /** Why there are no standard errors and correlations; not there where there are. */
  readonly withoutErrors?: string;
  readonly undetermined: readonly UndeterminedDirection[];
  /** The unknown with the largest standard error relative to its natural step; null without standard errors. */
  readonly leastDetermined: string | null;
  /**
   * Correlations of the estimates, in the order of `Object.keys(parameters)`, row by row; null where unknown. Empty
   * without standard errors.
   */
  readonly correlation: readonly (readonly (number | null)[])[];
  /** What no gradient reached, of gradient methods. */
  readonly unmoved: readonly Unmoved[];
  readonly history: readonly Iteration[];
  readonly method: Method;
  /** Why this one, in words that follow its name: the problem says so, or what it is made of. */
  readonly methodReason: string;
  /**
   * Why the search ended. This says nothing on whether the result is right; {@link Estimate.verdict} does.
   */
  readonly stopped: Stopped;
  readonly seconds: { readonly compile: number; readonly run: number };
  readonly seed: number;
  readonly device: string;
  /** All frames of what losses, observations and checks look at, at the estimate: [frame][element][component]. */
  readonly predicted: Readonly<Record<string, Float64Array>>;
}

export interface EstimateControls extends SearchControls {
  /** Called after every iteration; the next one begins when what it returns is done. */
  readonly onIteration?: (iteration: Iteration, of: number, current: Current) => unknown;
}

/**
 * Failure of an estimation that had found something: `best` is what, as {@link Current.best}; `cause` is why, and gives
 * the error its code, place, field, element and hint; `optim/estimate-stopped` where it has none.
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

  /** Not an own property: who prints the error does not want thousands of numbers. */
  get best(): Estimate {
    return this.#best;
  }
}
