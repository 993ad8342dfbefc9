import type { EstimatedStage, Study } from '../define/index.ts';

/** Settings of a trial that estimates one film. */
export interface FilmSettings {
  readonly film: string;
  /** Hash of the film's file, so that another film of the same name is another trial. */
  readonly sha256: string;
  /** Settings of the experiment, as given by `--set`. */
  readonly set: Readonly<Record<string, string>>;
}

/** Study that runs an experiment on many films; a trial's result is that of its last stage. */
export function filmStudy(experiment: string): Study<FilmSettings, EstimatedStage> {
  return {
    trials: [],
    experiments: [experiment],
    run: async ({ film, set }, { estimate }) => (await estimate(experiment, { video: film, settings: set })).at(-1)!,
    summary: summaryOfStage,
  };
}

/** Summary of a stage's result: whether it is trusted, its loss, and its estimates by parameter name. */
export function summaryOfStage({ verdict, loss, parameters }: EstimatedStage): Record<string, number | boolean> {
  const estimates = Object.entries(parameters).map(([name, { estimate }]) => [name, estimate] as const);
  return { trusted: verdict.trusted, loss, ...Object.fromEntries(estimates) };
}
