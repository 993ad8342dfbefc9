import type { EstimatedStage, Study } from '@gradsim/study';

/** Settings of a trial that is a film. */
export interface FilmSettings {
  readonly film: string;
  /** Hash of the film, so that a different one of the same name is a different trial. */
  readonly sha256: string;
  /** Settings of the experiment. */
  readonly set: Readonly<Record<string, string>>;
}

/** Study of an experiment on many films: its last stage is the result. */
export function filmStudy(experiment: string): Study<FilmSettings, EstimatedStage> {
  return {
    trials: [],
    experiments: [experiment],
    run: async ({ film, set }, { estimate }) => (await estimate(experiment, { video: film, settings: set })).at(-1)!,
    summary: summaryOfStage,
  };
}

/** Estimates by name, and whether they can be trusted. */
export function summaryOfStage({ verdict, loss, parameters }: EstimatedStage): Record<string, number | boolean> {
  const estimates = Object.entries(parameters).map(([name, { estimate }]) => [name, estimate] as const);
  return { trusted: verdict.trusted, loss, ...Object.fromEntries(estimates) };
}
