import type { Device, StopSignal } from '@gradsim/core';
import type { Journal } from './journal.ts';
import type { Method } from './options.ts';

/** One line of the loss history. */
export interface Iteration {
  readonly iteration: number;
  /** Of the best start so far. */
  readonly loss: number;
  /** Share of the frames that the loss is over, see {@link EstimateOptions.horizons}. */
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
}

export interface ParameterEstimate {
  readonly estimate: number;
  /**
   * From the Gauss-Newton Hessian at the estimate; null where the data do not determine it, or where there are none:
   * see {@link Estimate.withoutErrors}.
   */
  readonly standardError: number | null;
  readonly unit: string;
  readonly initial: number;
  readonly truth?: number;
}

export interface ArrayEstimate {
  /** [frame or window][element][component], as {@link ArraySpec} says. */
  readonly estimate: Float64Array;
  /** Frames or windows of time, elements, components. */
  readonly shape: readonly [number, number, number];
  /** NaN where the data do not determine a value; null where there are none at all. */
  readonly standardErrors: Float64Array | null;
  readonly unit: string;
  readonly initial: Float64Array;
  readonly truth?: Float64Array;
}

/** A combination of unknowns that the observations hardly or do not determine. */
export interface UndeterminedDirection {
  /** Weights of the unknowns in the direction, of unit length, in transformed coordinates. */
  readonly direction: Readonly<Record<string, number>>;
  /** Standard deviation along it, in transformed coordinates; null when infinite. */
  readonly standardDeviation: number | null;
  /** A sentence for the report. */
  readonly note: string;
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
  readonly parameters: Readonly<Record<string, ParameterEstimate>>;
  readonly arrays: Readonly<Record<string, ArrayEstimate>>;
  readonly loss: number;
  /** Each loss by its name, `observations` among them, weighted as they are added; without priors. */
  readonly parts: Readonly<Record<string, number>>;
  /** Root mean square of the residuals; null where there are no observations. */
  readonly residual: number | null;
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
  /** Why it ended. */
  readonly stopped: 'converged' | 'iterations' | 'interrupted';
  readonly seconds: { readonly compile: number; readonly run: number };
  readonly seed: number;
  readonly device: string;
  /** All frames of what losses and observations look at, at the estimate: [frame][element][component]. */
  readonly predicted: Readonly<Record<string, Float64Array>>;
}

export interface EstimateControls {
  readonly device: Device;
  readonly signal?: StopSignal;
  /** Called after every iteration; the next one begins when what it returns is done. */
  readonly onIteration?: (iteration: Iteration, of: number, current: Current) => unknown;
  /**
   * Where the run writes down what it works out, and finds what an earlier one had. Default: nowhere. There are no
   * frames of iterations that it finds there.
   */
  readonly journal?: Journal;
}

/** An estimation failed after it had found something: `best` is what, as {@link Current.best}; `cause` is why. */
export class EstimateError extends Error {
  readonly #best: Estimate;

  constructor(message: string, best: Estimate, cause: unknown) {
    super(message, { cause });
    this.name = 'EstimateError';
    this.#best = best;
  }

  /** Not an own property: who prints the error does not want thousands of numbers. */
  get best(): Estimate {
    return this.#best;
  }
}
