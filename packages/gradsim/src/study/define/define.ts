/** The settings of a trial: an object of plain JSON, with finite numbers. */
export type Settings = object;

/** Values that summarise a trial, by name: for medians while a study runs, and for columns of its page. */
export type Summary = Readonly<Record<string, number | string | boolean | null>>;

/** Trials of a study: a list of settings, or a generator of them. */
export type Trials<S extends Settings> = Iterable<S> | AsyncIterable<S>;

/**
 * An unknown that a trial estimated, as in a line of the results. An infinite standard error is `null`, since JSON has
 * none.
 */
export interface EstimatedParameter {
  readonly estimate: number;
  readonly standardError: number | null;
  /** 95 % interval, by which its error is counted where it is lopsided. */
  readonly interval?: readonly [number | null, number | null] | null;
  readonly unit: string;
  readonly truth?: number;
  readonly determinedBy: string;
}

/** Results of a trial's estimation of one stage of an experiment. */
export interface EstimatedStage {
  readonly stage: string;
  readonly parameters: Readonly<Record<string, EstimatedParameter>>;
  readonly verdict: { readonly trusted: boolean; readonly findings: readonly { readonly note: string }[] };
  readonly loss: number;
  readonly iterations: number;
  readonly stopped: string;
}

/** Options of an estimation within a trial: a part of those of `gradsim estimate`. */
export interface TrialEstimateOptions {
  /** Film that the experiment reads: a video file, a folder of images, or a pattern of their names. */
  readonly video?: string;
  /** Settings of the experiment by name, as texts, like those of `--set`. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly seed?: number;
  readonly iterations?: number;
  readonly starts?: number;
}

/** Inputs of a trial besides its settings. */
export interface TrialContext {
  /** Id of the trial: a hash of its settings and of the version of the code. */
  readonly id: string;
  /** Number of this attempt, from 1: above 1 if earlier ones crashed or exceeded a limit. */
  readonly attempt: number;
  /**
   * Path, on this machine, of the folder that `--data` names; every machine has the same files in it. Undefined without
   * `--data`.
   */
  readonly data: string | undefined;
  /**
   * Returns the path of an empty folder for files of this trial, created at the first call. When the trial succeeds, it
   * is kept as `trials/ID` in the folder of the study; the files of a failed attempt are deleted.
   */
  readonly folder: () => string;
  /**
   * Estimates one of the study's {@link Study.experiments}, given as listed there; returns its stages in order.
   * `result.json` and `report.html` are written to the folder of the trial, and the page of the study links to the
   * report.
   */
  readonly estimate: (experiment: string, options?: TrialEstimateOptions) => Promise<readonly EstimatedStage[]>;
}

/** A study: one function, run for many trials with different settings. */
export interface Study<S extends Settings = Settings, R = unknown> {
  /**
   * Settings of all trials, or a function that returns them, given the texts of `--set` by name. No two trials may have
   * the same settings.
   */
  readonly trials: Trials<S> | ((given: Readonly<Record<string, string>>) => Trials<S> | Promise<Trials<S>>);
  /**
   * Runs one trial, in a child process that also runs other trials before and after. Returns plain JSON; numbers that
   * are not finite become `null`. If the result has `parameters` like those of an estimate, the page plots them against
   * their true values.
   */
  run(settings: S, context: TrialContext): R | Promise<R>;
  /**
   * Modules of the experiments that trials estimate, as paths relative to the folder of the study's file.
   * Hashes of these files are part of the version of the code, so results of another version are not mixed with those
   * of this one.
   */
  readonly experiments?: readonly string[];
  /**
   * Returns the values that summarise a trial. By default: numbers and texts of the result, and true values of
   * parameters.
   */
  summary?(result: R, settings: S): Summary;
}

/**
 * Declares a study, the default export of a module that `gradsim sweep` runs.
 *
 * ```ts
 * export default defineStudy({
 *   trials: grid({ drag: [0.1, 0.2, 0.4], seed: seeds(10) }),
 *   run: ({ drag, seed }) => ({ range: simulatedRange(drag, seed) }),
 * });
 * ```
 */
export const defineStudy = <S extends Settings, R>(study: Study<S, R>): Study<S, R> => study;
