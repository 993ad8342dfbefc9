import type { Device, Model } from '@gradsim/core';
import type { Observation } from './observation.ts';
import type { ParameterSpec } from './parameter.ts';

/** What is estimated from what: a model over time, its unknowns, and what was seen. */
export interface Problem {
  readonly model: Model;
  /** Number of frames; frame 0 is the initial state. */
  readonly frames: number;
  /** Frames a second. */
  readonly frameRate: number;
  /** Physics substeps a frame. */
  readonly substeps: number;
  readonly parameters: readonly ParameterSpec[];
  readonly observations: readonly Observation[];
  readonly options?: EstimateOptions;
}

export interface EstimateOptions {
  /**
   * `levenberg-marquardt` (the default) solves least squares with forward-mode Jacobians, for up to a few dozen
   * unknowns; `adam` and `sgd` (with momentum) follow reverse-mode gradients. The standard errors at the end take one
   * world for each unknown with every method.
   */
  readonly method?: 'levenberg-marquardt' | 'adam' | 'sgd';
  /** At most so many iterations. */
  readonly iterations?: number;
  /** Stops when the loss changes by less than this, relatively. */
  readonly tolerance?: number;
  /** Step size of `adam` and `sgd`, in the parameters' transformed coordinates. */
  readonly learningRate?: number;
  /**
   * Starts that run side by side as worlds of one batch: the first from the parameters' initial values, the others
   * drawn from their ranges. Default 1.
   */
  readonly starts?: number;
  /** Points drawn from the ranges and rendered once before the descent; the best become starts. Default 0. */
  readonly scan?: number;
  /**
   * Shares of the frames to estimate from, one after another, ascending to 1: `[0.25, 0.5, 1]` begins with the first
   * quarter. Every stage begins at the ends of the one before and at points drawn around them, over the whole range of
   * what is not determined yet. Contact makes long videos hard to begin with: what happens late depends on everything
   * before, while the flight before the first contact already tells the mass. Not for models with fields that change
   * from frame to frame. Default `[1]`.
   */
  readonly horizons?: readonly number[];
  /**
   * Rounds of looking around the end of each descent and descending again from a better point: contact makes small
   * false minima. Ends when a round finds nothing or the fit is exact. Default 0.
   */
  readonly hops?: number;
  /** Seed of what is drawn. Default 1. */
  readonly seed?: number;
  /** Bytes for the run's history. */
  readonly memory?: number;
}

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

export interface ParameterEstimate {
  readonly estimate: number;
  /** From the Gauss-Newton Hessian at the estimate; null where the data do not determine it. */
  readonly standardError: number | null;
  readonly unit: string;
  readonly initial: number;
  readonly truth?: number;
}

/** A combination of parameters that the observations hardly or do not determine. */
export interface UndeterminedDirection {
  /** Weights of the parameters in the direction, of unit length, in transformed coordinates. */
  readonly direction: Readonly<Record<string, number>>;
  /** Standard deviation along it, in transformed coordinates; null when infinite. */
  readonly standardDeviation: number | null;
  /** A sentence for the report. */
  readonly note: string;
}

export interface Estimate {
  readonly parameters: Readonly<Record<string, ParameterEstimate>>;
  readonly loss: number;
  /** Root mean square of the residuals. */
  readonly residual: number;
  readonly undetermined: readonly UndeterminedDirection[];
  /** The parameter with the largest standard error relative to its value. */
  readonly leastDetermined: string;
  /** Correlations of the estimates, in the order of `Object.keys(parameters)`, row by row; null where unknown. */
  readonly correlation: readonly (readonly (number | null)[])[];
  readonly history: readonly Iteration[];
  /** Why it ended. */
  readonly stopped: 'converged' | 'iterations' | 'interrupted';
  readonly seconds: { readonly compile: number; readonly run: number };
  readonly seed: number;
  readonly device: string;
  /** Final values of all observed fields at the estimate: what the model shows, [frame][element][component]. */
  readonly predicted: Readonly<Record<string, Float64Array>>;
}

export interface EstimateControls {
  readonly device: Device;
  readonly signal?: AbortSignal;
  readonly onIteration?: (iteration: Iteration, of: number) => void;
}

/** What an experiment's functions are told by the command line. */
export interface ExperimentContext {
  readonly device: Device;
  /** The film given with `--video`: a file, a folder of PNGs, or a pattern of their names such as `frames/%04d.png`. */
  readonly video?: string;
  /** Settings given with `--set name=value`. */
  readonly settings: Readonly<Record<string, string>>;
  /** A line for the person who waits. */
  readonly log: (line: string) => void;
  /** Aborted by an interrupt: hand it to what takes long, such as reading a film. */
  readonly signal?: AbortSignal;
}

/** Pictures for a report: one strip of frames a row, values in [0, 1], `[frame][y][x][channel]` with 3 channels. */
export interface Strip {
  readonly width: number;
  readonly height: number;
  readonly frames: readonly number[];
  readonly target: Float32Array;
  readonly estimate: Float32Array;
}

/** A part of an experiment: one estimation. Several run one after another ("mass", then "contact and mass"). */
export interface Stage {
  readonly name: string;
  readonly problem: Problem;
  /** Turns what the model shows at the estimate into pictures for the report. */
  readonly strip?: (estimate: Estimate) => Strip | Promise<Strip>;
  /** Sentences on what to make of the result, for the report and the terminal. */
  readonly notes?: (estimate: Estimate) => readonly string[];
}

/**
 * An experiment: a TypeScript module's default export, run by `gradsim estimate FILE`.
 *
 * ```ts
 * export default defineExperiment({
 *   name: 'bounce',
 *   description: 'Elasticity of a ball from a video of it bouncing.',
 *   stages: async ({ video, device }) => [{ name: 'bounce', problem: await bounceProblem(video) }],
 * });
 * ```
 */
export interface Experiment {
  readonly name: string;
  readonly description: string;
  readonly stages: (context: ExperimentContext) => Promise<readonly Stage[]> | readonly Stage[];
  /** Renders the experiment at its initial (or true) values, for `gradsim render`. */
  readonly render?: (context: ExperimentContext) => Promise<RenderedFrames>;
}

export interface RenderedFrames {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly frameRate: number;
  /** `[frame][y][x][channel]`, in [0, 1]. */
  readonly data: Float32Array;
}

/** Gives the experiment back, typed. */
export const defineExperiment = (experiment: Experiment): Experiment => experiment;
