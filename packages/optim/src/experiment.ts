import type { Device, FieldKey, StopSignal } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { PlanCandidate } from './planning/change.ts';
import type { PlanOptions } from './planning/plan-experiment.ts';
import type { Problem } from './problem/problem.ts';
import type { Run } from './problem/run.ts';
import type { Estimate } from './result.ts';
import type { Settings } from './settings.ts';
import { readSettings } from './settings.ts';

/** Context that the command line passes to an experiment's functions. */
export interface ExperimentContext {
  readonly device: Device;
  /** Path of the film from the option `--video`: a file, a folder of images, or a pattern such as `frames/%04d.png`. */
  readonly video?: string;
  /** Texts of the options `--set name=value`, by name. */
  readonly settings: Readonly<Record<string, string>>;
  /** Prints a line for the user, for example about progress. */
  readonly log: (line: string) => void;
  /** Signal that an interrupt aborts: pass it to slow operations, such as reading a film. */
  readonly signal?: StopSignal;
  /** Shows the progress of a slow operation, `reading` or `masks` of a film: the part that is done, 0 to 1. */
  readonly onProgress?: (step: 'reading' | 'masks', done: number) => void;
}

/** A picture of a {@link Strip}: flat values in the order [y][x][channel], 3 channels, in [0, 1]. */
type StripPicture = Float32Array | Promise<Float32Array>;

/** Target and estimate as films that the report plays; it requests their pictures one by one, some repeatedly. */
export interface Strip {
  readonly width: number;
  readonly height: number;
  /** Numbers of the problem's frames that are shown, ascending; best all of them. */
  readonly frames: readonly number[];
  /** Returns the target's picture of frame `frames[k]`; {@link picturesOf} makes this function from an array. */
  readonly target: (k: number) => StripPicture;
  /** Returns the estimate's picture of frame `frames[k]`; the next call may overwrite it. */
  readonly estimate: (k: number) => StripPicture;
}

/**
 * Makes a function that returns the k-th picture of a film, for a {@link Strip}.
 *
 * ```ts
 * const strip = { width, height, frames, target: picturesOf(film, frames.length), estimate: picturesOf(shown, frames.length) };
 * ```
 * @param data flat values of all pictures, [frame][y][x][channel].
 * @param frames number of pictures in `data`.
 */
export function picturesOf(data: Float32Array, frames: number): (k: number) => Float32Array {
  const length = data.length / frames;
  return (k) => data.subarray(k * length, (k + 1) * length);
}

/**
 * Convergence of another method, for comparison: its distance from the goal after each iteration, starting with the
 * distance before the first one.
 */
export interface GoalCurve {
  readonly name: string;
  readonly distances: readonly number[];
}

/** One estimation of an experiment. Stages run one after another, for example "mass", then "contact and mass". */
export interface Stage {
  readonly name: string;
  readonly problem: Problem;
  /** Makes the films for the report from the estimate, whose `predicted` is the model's output. */
  readonly strip?: (estimate: Estimate) => Strip | Promise<Strip>;
  /** Convergence curves of other methods, drawn in the report with that of this stage; for problems with a goal. */
  readonly curves?: readonly GoalCurve[];
  /** Sentences that interpret the result, for the report and the terminal. */
  readonly notes?: (estimate: Estimate) => readonly string[] | Promise<readonly string[]>;
  /** Facts by which `gradsim plan` says which experiment to do next. */
  readonly plan?: StagePlan;
  /** Unknowns that reports show first. Default: all parameters alike. */
  readonly shown?: StageShown;
}

/** Answers of a stage, which reports show first. */
export interface StageShown {
  /** Unknowns that are the answer, by name, with the meaning of each in a sentence for pupils. */
  readonly answers: Readonly<Record<string, string>>;
  /** Field of the position, m, of what moves, of whose last element curves are drawn. */
  readonly moving?: FieldKey;
  /** True if it turns about a point, so that graphs show its angle. Default false. */
  readonly turns?: boolean;
}

/** Candidates for the next experiment, and what of the result is wanted. */
export interface StagePlan extends Pick<PlanOptions, 'isSeen'> {
  /** Names of the parameters that are wanted, the first most. Default: the first parameter. */
  readonly wanted?: readonly string[];
  /** Default: longer and faster observation. */
  readonly candidates?: readonly PlanCandidate[];
}

/**
 * An experiment: a TypeScript module's default export, run by `gradsim estimate FILE`.
 *
 * ```ts
 * export default defineExperiment({
 *   name: 'fall',
 *   description: 'Gravity from the heights of something that falls.',
 *   stages: () => [
 *     {
 *       name: 'fall',
 *       problem: {
 *         model, frames: 5, frameRate: 10, substeps: 400,
 *         parameters: [{ name: 'gravity', field: 'world.gravity', component: 1, initial: -5, scale: 2 }],
 *         observations: [{ field: 'bodies.position', target }],
 *       },
 *     },
 *   ],
 * });
 * ```
 */
export interface Experiment {
  readonly name: string;
  readonly description: string;
  readonly stages: (context: ExperimentContext) => Promise<readonly Stage[]> | readonly Stage[];
  /** Renders the experiment at the initial or the true values of its unknowns, for `gradsim render`. */
  readonly render?: (context: ExperimentContext) => Promise<RenderedFrames>;
  /** The run that is exported as an animated scene at the values of `render`, for `gradsim render --out NAME.glb`. */
  readonly motion?: (context: ExperimentContext) => Promise<Run> | Run;
}

export interface RenderedFrames {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly frameRate: number;
  /** Flat values of all pictures, [frame][y][x][channel], in [0, 1]. */
  readonly data: Float32Array;
}

/** Context of an experiment that declares its settings, which are parsed to values of their types. */
export interface SettingsContext<V> extends Omit<ExperimentContext, 'settings'> {
  readonly settings: V;
}

/** An experiment that declares its settings. */
export interface ExperimentWithSettings<V> extends Pick<Experiment, 'name' | 'description'> {
  /** Readers of the settings, by the names in `--set name=value`; other names are refused. */
  readonly settings: Settings<V>;
  /** `own` if the experiment makes its own film, so that the option `--video` is refused. */
  readonly film?: 'own';
  readonly stages: (context: SettingsContext<V>) => ReturnType<Experiment['stages']>;
  readonly render?: (context: SettingsContext<V>) => Promise<RenderedFrames>;
  readonly motion?: (context: SettingsContext<V>) => Promise<Run> | Run;
}

/**
 * Defines an experiment for the command line. If it declares `settings`, they are parsed before its functions are
 * called.
 *
 * ```ts
 * export default defineExperiment({
 *   name: 'fall',
 *   description: 'Gravity from a film.',
 *   settings: { size: wholeSetting(48, { least: 16 }), light: choiceSetting(['lambert', 'phong']) },
 *   stages: ({ settings: { size, light } }) => [...],
 * });
 * ```
 */
export function defineExperiment<V>(experiment: ExperimentWithSettings<V>): Experiment;
export function defineExperiment(experiment: Experiment): Experiment;
export function defineExperiment<V>(experiment: Experiment | ExperimentWithSettings<V>): Experiment {
  if (!('settings' in experiment)) return experiment;
  const { name, description, settings, film, stages, render, motion } = experiment;
  const withSettings = async (context: ExperimentContext): Promise<SettingsContext<V>> => {
    const values = await readSettings(name, context.settings, settings);
    if (film === 'own' && context.video !== undefined)
      throw new GradsimError(
        'optim/film-not-taken',
        `The experiment ${name} makes its own film, and takes no --video (${context.video}).`,
      );
    return { ...context, settings: values };
  };
  return {
    name,
    description,
    stages: async (context) => stages(await withSettings(context)),
    ...(render && { render: async (context: ExperimentContext) => render(await withSettings(context)) }),
    ...(motion && { motion: async (context: ExperimentContext) => motion(await withSettings(context)) }),
  };
}
