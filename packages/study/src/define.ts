/** The settings of a trial: an object of plain JSON, with finite numbers. */
export type Settings = object;

/** Values of a trial by name, for medians while a study runs and for columns of its page. */
export type Summary = Readonly<Record<string, number | string | boolean | null>>;

/** Trials of a study: a list of settings, or a generator of them. */
export type Trials<S extends Settings> = Iterable<S> | AsyncIterable<S>;

/** An unknown of an estimation, as a line of results has it; infinite standard errors are `null` there, as JSON has none. */
export interface EstimatedParameter {
  readonly estimate: number;
  readonly standardError: number | null;
  readonly unit: string;
  readonly truth?: number;
  readonly determinedBy: string;
}

/** A stage of an experiment, estimated in a trial. */
export interface EstimatedStage {
  readonly stage: string;
  readonly parameters: Readonly<Record<string, EstimatedParameter>>;
  readonly verdict: { readonly trusted: boolean; readonly findings: readonly { readonly note: string }[] };
  readonly loss: number;
  readonly iterations: number;
  readonly stopped: string;
}

/** Options of an estimation within a trial, those of `gradsim estimate`. */
export interface TrialEstimateOptions {
  /** The film that the experiment reads: a file, a folder of PNGs, or a pattern of their names. */
  readonly video?: string;
  /** Settings of the experiment, as `--set` gives them. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly seed?: number;
  readonly iterations?: number;
  readonly starts?: number;
}

/** Inputs of a trial besides its settings. */
export interface TrialContext {
  /** The trial's id, the hash of its settings and of the code. */
  readonly id: string;
  /** 1, or more where earlier attempts crashed or ran into a limit. */
  readonly attempt: number;
  /** Folder that `--data` names on this machine; its files are the same on all. Undefined without it. */
  readonly data: string | undefined;
  /**
   * An empty folder for files of this trial, made when it is first asked for. After a trial that succeeds it is
   * `trials/ID` in the folder of the study; files of a failed attempt are removed.
   */
  readonly folder: () => string;
  /**
   * Estimates one of the study's {@link Study.experiments}, by its name there. `result.json` and `report.html` go to the folder of the trial, and the page of the study shows the report at a click. Returns its stages in order.
   */
  readonly estimate: (experiment: string, options?: TrialEstimateOptions) => Promise<readonly EstimatedStage[]>;
}

/** Many trials of one function. */
export interface Study<S extends Settings = Settings, R = unknown> {
  /** Trials, or a function that returns them of what `--set` gives; no two may have the same settings. */
  readonly trials: Trials<S> | ((given: Readonly<Record<string, string>>) => Trials<S> | Promise<Trials<S>>);
  /**
   * Runs one trial, in a child process that runs others before and after it. Returns plain JSON; numbers that are not finite
   * become `null`. Where the result has `parameters` like those of an estimate, the page shows them against their truth.
   */
  run(settings: S, context: TrialContext): R | Promise<R>;
  /**
   * Experiments that trials estimate: modules, by their paths from the folder of the study's file. Their hashes are part of
   * the code's version, so that results of another version of them are not taken for those of this one.
   */
  readonly experiments?: readonly string[];
  /** Values that tell how a trial went. By default the result's own numbers, texts and truth values. */
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
