import type { FieldKey } from '@gradsim/core';
import type { Film, FilmOptions } from '@gradsim/film';
import type { Experiment, ExperimentContext, PlanCandidate, Stage } from '@gradsim/optim';
import type { FilmSource } from '@gradsim/video';
import type { MeasuredBy, Measures } from './measure.ts';
import { checkMeasured } from './measured.ts';
import { comparedWithKinds, type ShownMotions } from './nearest-kind.ts';
import { unitQuestions } from './units.ts';

/** Context in which the stages of a kind are made. */
export interface KindContext extends Pick<ExperimentContext, 'device' | 'log' | 'signal' | 'onProgress'> {
  /** Film that replaces the measured one: of the option `--video`, or of a page. */
  readonly video?: FilmSource;
  /** Returns the absolute path of a file that the measurements name. */
  readonly fileOf: (path: string) => string;
  /** Masks of the film, as the kind says. */
  readonly mask?: FilmOptions['mask'];
  /** Called with the film once it is read. */
  readonly onFilm?: (film: Film) => void;
}

/** Name and words of a kind, and what programs show of it. */
interface KindWords {
  /** Name, as in `gradsim new ball`. */
  readonly name: string;
  /** Number that grows with each change of the model, its start or its tuning, by which numbers differ. */
  readonly version: number;
  /** Event in front of the camera: `A ball bounces`. */
  readonly title: string;
  /** Quantities that an experiment of this kind estimates, after the word `finds`. */
  readonly finds: string;
  /** Unknowns that are the answer; the first that was estimated is shown first. */
  readonly answers: readonly string[];
  /** Meaning of these in a sentence for pupils, by name: `restitution`, the part of its speed that ... */
  readonly meaning: Readonly<Record<string, string>>;
  /** Experiments of this kind that could be done next, beside those that any film suggests. */
  readonly candidates?: readonly PlanCandidate[];
  /** Sentence for the report: the moment and the axes that unknowns refer to, and what they mean. */
  readonly note?: string;
  /** Drawing of the thing, its path and the lengths that are measured: parts of an SVG of 160 x 90. */
  readonly drawing?: string;
  /** Masks of the film: what of it is the thing. Default `moving`. */
  readonly mask?: FilmOptions['mask'];
  /** Motions that its films show, of what looks so; a film that shows another motion is questioned. Default: not compared. */
  readonly motions?: ShownMotions;
  /** True for a film of this kind where the track of one thing does not tell, as of two that collide. */
  readonly isShown?: (film: Film) => Promise<boolean>;
  /** Things of known length in the plane of the motion that may be marked: `such as the string itself`. */
  readonly marked?: string;
  /** True if it turns about a point, so that graphs show its angle. Default false. */
  readonly turns?: boolean;
  /** Key of the field that holds the moving thing's position, m, of whose last element curves are drawn. */
  readonly moving?: FieldKey;
}

/** Definition of a kind of experiment. */
export interface KindSpec<M extends Measures> extends KindWords {
  /** Measurements beside the film or the recording. */
  readonly measures: M;
  /** Builds the model from the measurements, with its unknowns and what is observed. */
  readonly stages: (measured: MeasuredBy<M>, context: KindContext) => Promise<readonly Stage[]>;
}

/** A kind of experiment, by {@link defineKind}. */
export interface Kind<M extends Measures = Measures> extends KindWords {
  readonly measures: M;
  /** Builds the model from the measurements, with its unknowns and what is observed. @throws for values of wrong types. */
  stages(measured: MeasuredBy<M>, context: KindContext): Promise<readonly Stage[]>;
  /**
   * Experiment of this kind, the default export of a module that `gradsim estimate` runs.
   *
   * @param from URL of the module, `import.meta.url`: paths of the measurements are relative to it.
   */
  experiment(measured: MeasuredBy<M>, from: string): Experiment;
}

/** Type of the measurements of a kind: `Measured<typeof ball>`. */
export type Measured<K extends Kind> = MeasuredBy<K['measures']>;

/**
 * Defines a kind of experiment: what a person measures, the model, and what is found. `gradsim new`, the studio and the
 * report ask it for all they show.
 *
 * ```ts
 * export const drop = defineKind({
 *   name: 'drop', version: 1, title: 'A ball drops', finds: 'gravity', answers: ['gravity'],
 *   meaning: { gravity: 'the acceleration of free fall' },
 *   measures: {
 *     ...movingFilmMeasures,
 *     radius: { what: 'Radius of the ball, m.', type: 'positive', quantity: 'length' },
 *     ...cameraMeasures,
 *   },
 *   stages: async (measured, context) => (await import('./stages.ts')).stages(measured, context),
 * });
 * ```
 */
export function defineKind<const M extends Measures>(spec: KindSpec<M>): Kind<M> {
  const { name, finds, note, answers, candidates = [] } = spec;
  const stages = async (measured: MeasuredBy<M>, context: KindContext): Promise<readonly Stage[]> => {
    checkMeasured(name, spec.measures, measured);
    for (const question of unitQuestions(spec.measures, measured)) context.log(question);
    const made = await comparedWithKinds(spec, context.log, (onFilm) =>
      spec.stages(measured, { ...context, mask: spec.mask, onFilm }),
    );
    return made.map((stage) => {
      const known = stage.problem.parameters?.map((own) => own.name) ?? [];
      return {
        ...stage,
        shown: {
          answers: Object.fromEntries(answers.map((answer) => [answer, spec.meaning[answer] ?? ''])),
          ...(spec.moving === undefined ? {} : { moving: spec.moving }),
          ...(spec.turns ? { turns: true } : {}),
        },
        ...(note === undefined ? {} : { notes: async (found) => [note, ...((await stage.notes?.(found)) ?? [])] }),
        ...(stage.plan
          ? {
              plan: {
                ...stage.plan,
                wanted: answers.filter((answer) => known.includes(answer)),
                candidates: [...candidates, ...(stage.plan.candidates ?? [])],
              },
            }
          : {}),
      };
    });
  };
  return {
    ...spec,
    stages,
    experiment: (measured, from) => ({
      name,
      description: `${finds[0].toUpperCase()}${finds.slice(1)}.`,
      stages: async ({ device, log, signal, video }) => {
        const [{ dirname, resolve }, { fileURLToPath }] = await Promise.all([import('node:path'), import('node:url')]);
        const folder = dirname(fileURLToPath(from));
        return stages(measured, { device, log, signal, video, fileOf: (path) => resolve(folder, path) });
      },
    }),
  };
}

const WORDS = ['name', 'title', 'finds'] as const;

/** True for a kind, by {@link defineKind}, of whatever copy of this package. */
export const isKind = (value: unknown): value is Kind => {
  if (typeof value !== 'object' || value === null) return false;
  const { measures, stages, experiment, ...words } = value as Partial<Kind>;
  const isCallable = typeof stages === 'function' && typeof experiment === 'function';
  return isCallable && typeof measures === 'object' && WORDS.every((word) => typeof words[word] === 'string');
};
