import type { Device, StopSignal } from '@gradsim/core';
import type { GoalVerdict } from './problem/goal.ts';
import type { Method } from './problem/options.ts';
import type { Journal } from './search/journal.ts';

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
  /** The length that the longest gradient of a start had, in natural steps, where {@link EstimateOptions.clip} shortened it. */
  readonly clipped?: number;
  /** Of worlds: how many did not count, since their runs or gradients were not finite; not there where all did. */
  readonly exploded?: number;
  /** Of problems with a goal and methods that follow gradients: how far the best start so far is from it. */
  readonly distance?: number;
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

/** What makes a value what it is: what was seen, priors, an end of its range, or nothing. */
export type DeterminedBy = 'observations' | 'priors' | 'range' | 'nothing';

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
   * The same interval from the profile of the loss, or from a bootstrap, where {@link EstimateOptions.intervals} asked for
   * it and there was enough to find it with.
   */
  readonly profile?: readonly [number, number];
  readonly bootstrap?: readonly [number, number];
  /** Null without standard errors. */
  readonly determinedBy: DeterminedBy | null;
  readonly unit: string;
  readonly initial: number;
  readonly truth?: number;
}

/** What follows from parameters. */
export interface DerivedEstimate {
  readonly estimate: number;
  /** By the covariance of all parameters; infinite where it follows from what nothing determines, null without errors. */
  readonly standardError: number | null;
  /** 1.96 standard errors to either side. */
  readonly interval: readonly [number, number] | null;
  /** Of the bootstrap, where {@link EstimateOptions.intervals} asked for it. */
  readonly bootstrap?: readonly [number, number];
  readonly unit: string;
  /** Why there is no value, where its function gave none at the estimate: then it is NaN. */
  readonly withoutValue?: string;
  /** The parameters that it follows from. */
  readonly from: readonly string[];
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

/** How far the model goes along with what was seen. */
export interface Fit {
  /** How many values were compared. */
  readonly values: number;
  /**
   * How many independent ones tell as much, measured from how residuals go together over pixels and frames; null without
   * standard errors, and where there is too little to measure with.
   */
  readonly independent: number | null;
  /** By observation, in the order of the problem's. */
  readonly observations: readonly ObservationFit[];
}

export interface ObservationFit {
  readonly field: string;
  /**
   * Share of the target's changes that the model shows too: of those over time or of the differences from a constant,
   * whichever it explains better. 1 is all; 0 no more than a picture that stands still, or one colour. Noise is taken off.
   * Null where there is nothing to explain.
   */
  readonly explained: number | null;
  /**
   * Share of what moves in the target that lies where something moves in the model, at the first initial values (null
   * where it cannot be run there) and at the estimate. Null of states, whose values change in most frames, and where
   * none does.
   */
  readonly overlap: { readonly start: number | null; readonly end: number } | null;
  /** Share of the target's changes that lies where the model never changes: something else moves. Null as `overlap`. */
  readonly elsewhere: number | null;
  /** Standard deviation of the target's noise, from how its values jump from frame to frame; null with fewer than 6 frames. */
  readonly noise: number | null;
  /** What the residuals were said to be, in their unit, where the observation gives its noise. */
  readonly expected?: number;
  /** The frames that are compared, and the root mean square of the residuals of each. */
  readonly frames: readonly number[];
  readonly residuals: readonly number[];
}

/** What became of the parameters when the same was estimated more finely. */
export interface Verification {
  /** With half the substep, or with a mesh that the problem's `refined` gave. */
  readonly refined: 'substep' | 'mesh';
  /** The values then; null where the model could not be run so. */
  readonly parameters: Readonly<Record<string, number>> | null;
}

/** What speaks against a result. */
export interface Finding {
  readonly kind:
    | 'no overlap'
    | 'unexplained'
    | 'elsewhere'
    | 'some frames'
    | 'false derivatives'
    | 'exploding gradients'
    | 'unfinished'
    | 'interrupted'
    | 'range'
    | 'against priors'
    | 'other minimum'
    | 'substep'
    | 'intervals'
    | 'mesh'
    | 'undetermined'
    | 'beyond noise'
    | 'check'
    | 'priors'
    | 'start without overlap'
    | 'correlation not measured'
    | 'precision'
    | 'no standard errors';
  /** Whether the result is not to be trusted because of it. What is not `grave` is to be known. */
  readonly grave: boolean;
  /** The unknowns that it is about, where it is not about all. */
  readonly unknowns?: readonly string[];
  /** A sentence for people. */
  readonly note: string;
}

/** Whether a result can be trusted, and what speaks against it. */
export interface Verdict {
  /** Whether nothing grave was found. */
  readonly trusted: boolean;
  /** The gravest first. */
  readonly findings: readonly Finding[];
}

export interface Estimate {
  /** Whether all this can be trusted: look here first. */
  readonly verdict: Verdict;
  /** Of problems with a goal: whether it was reached. */
  readonly goal?: GoalVerdict;
  readonly parameters: Readonly<Record<string, ParameterEstimate>>;
  readonly arrays: Readonly<Record<string, ArrayEstimate>>;
  /** By the names of the problem's `derived`. */
  readonly derived: Readonly<Record<string, DerivedEstimate>>;
  readonly loss: number;
  /** Each loss by its name, `observations` among them, weighted as they are added; without priors. */
  readonly parts: Readonly<Record<string, number>>;
  /** Root mean square of the residuals; null where there are no observations. */
  readonly residual: number | null;
  /** Null where there are no observations, and before the end. */
  readonly fit: Fit | null;
  /** What {@link EstimateOptions.verify} found; empty without it. */
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
   * Why the search ended: no step gains more than the tolerance, the iterations allowed are over, or an interrupt. This says
   * nothing on whether the result is right; {@link Estimate.verdict} does.
   */
  readonly stopped: 'tolerance' | 'iterations' | 'interrupted';
  readonly seconds: { readonly compile: number; readonly run: number };
  readonly seed: number;
  readonly device: string;
  /** All frames of what losses, observations and checks look at, at the estimate: [frame][element][component]. */
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
