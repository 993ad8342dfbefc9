import type { Device, FrameClock } from '@gradsim/core';
import { clockOf, GradsimError } from '@gradsim/core';
import type { Estimate, EstimateOptions, Experiment, ExperimentContext, Journal, Problem, Stage } from '@gradsim/optim';
import { messageOf } from '../terminal/describe.ts';
import { readingLines, showProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type Course, courseIn } from '../track/course.ts';
import type { TrackSettings } from '../track/follow.ts';
import type { CheckedStrip } from './checked-strip.ts';
import type { LoadedExperiment } from './load.ts';
import { curvesOf, type Motion, motionOf } from './motion/motion.ts';
import { observedIn } from './motion/observed.ts';
import { adviceOn } from './plan-stage.ts';
import { type MotionCurve, motionCurves } from './record/motion.ts';
import type { EstimateRequest, SharedRecord, StageRecord } from './record/record.ts';
import { stageRecord } from './record/record.ts';
import { endingOf, remarks, trust } from './record/remarks.ts';
import {
  arrayLines,
  derivedTable,
  estimateTable,
  givenTable,
  intervalLines,
  verificationLines,
} from './record/tables.ts';
import { notesOf, stagesOf, stripOf } from './stages.ts';
import { startingFrom } from './start-from.ts';

/** A finished stage, with the data that its report shows. */
export interface FinishedStage {
  readonly record: StageRecord;
  readonly estimate: Estimate;
  /** The problem that was estimated. */
  readonly problem: Problem;
  readonly strip?: CheckedStrip;
  /** Curves of other methods: the distance from the goal over the counter. */
  readonly curves?: Stage['curves'];
  /** Unknowns that are the answer, with their meaning. */
  readonly answers?: Readonly<Record<string, string>>;
  /** Motion in the world or, where that is not known, observations in each frame, as seen and as the model has them. */
  readonly motion: readonly MotionCurve[];
  /** The same of a film's thing with speeds, accelerations and energies, and formulas fitted to them. */
  readonly course?: Course;
  /** Times of the frames of the estimated problem's simulation. */
  readonly clock: FrameClock;
  /** Number of frames of the simulation for each frame of an observation, by observation. */
  readonly instants: readonly number[];
}

/** Controls of a run of an experiment. */
export interface RunControls {
  readonly device: Device;
  readonly request: EstimateRequest;
  readonly shared: SharedRecord;
  readonly signal: AbortSignal;
  readonly terminal: Terminal;
  /** Stages, if they have been made already. Default: those of the experiment. */
  readonly made?: readonly Stage[];
  /** Journals of the stages, by stage name. */
  readonly journal: { readonly of: (stage: string) => Journal };
  /** Called after each stage, once its result is printed, with all finished stages. */
  readonly onStage: (stages: readonly FinishedStage[]) => Promise<void>;
  /** Formulas that are fitted to the motion that a film shows. */
  readonly formulas: Pick<TrackSettings, 'fit' | 'start'>;
  /** True if results are printed as lines of JSON, false for readable text. */
  readonly json: boolean;
  readonly quiet: boolean;
}

/**
 * Runs an experiment's stages one after another and prints each one's result as it ends. After an interrupt the current
 * stage returns its best result so far, and later stages do not run.
 * @throws when the experiment has no stages, or one of them fails.
 */
export async function runExperiment(loaded: LoadedExperiment, controls: RunControls): Promise<FinishedStage[]> {
  const { experiment } = loaded;
  const { device, request, signal, terminal, json } = controls;
  const say = json ? terminal.say : terminal.print;
  const { video, settings } = request;
  if (!controls.quiet)
    terminal.say(`${experiment.name}: ${experiment.description} (${device.kind}: ${device.description})`);
  const onProgress = controls.quiet ? undefined : readingLines(terminal.say);
  const context = { device, video, settings, log: terminal.say, signal, onProgress };
  const given = controls.made ?? (await stagesUnlessInterrupted(experiment, context));
  if (given === null) return [];
  if (given.length === 0)
    throw new GradsimError(
      'gradsim/no-stage',
      `The experiment "${experiment.name}" has no stages, so there is nothing to estimate.`,
    );
  const stages = request.from === undefined ? given : startingFrom(request.from, given);
  const finished: FinishedStage[] = [];
  for (const stage of stages) {
    if (signal.aborted) break;
    const result = await runStage(loaded, stage, controls);
    if (!result) break;
    finished.push(result);
    const title = stages.length > 1 ? `${experiment.name}, ${stage.name}` : experiment.name;
    for (const line of ['', title, ...summary(result)]) say(line);
    if (json) terminal.print(JSON.stringify(result.record));
    await controls.onStage(finished);
  }
  return finished;
}

/** Creates the stages of an experiment; `null` if an interrupt stopped their creation. */
async function stagesUnlessInterrupted(
  experiment: Experiment,
  context: ExperimentContext & { readonly signal: AbortSignal },
): Promise<readonly Stage[] | null> {
  try {
    return await stagesOf(experiment, context);
  } catch (error) {
    if (context.signal.aborted && error instanceof Error && error.name === 'AbortError') return null;
    throw error;
  }
}

/** Runs one stage; returns undefined if it was interrupted before its first loss value. */
async function runStage(
  { experiment, engine, sources }: LoadedExperiment,
  stage: Stage,
  controls: RunControls,
): Promise<FinishedStage | undefined> {
  const { device, request, shared, signal, terminal } = controls;
  const journal = controls.journal.of(stage.name);
  const { seed, iterations, starts, intervals, verify } = request;
  const moving = movingOf(stage);
  const problem = moving ? { ...stage.problem, predict: [...(stage.problem.predict ?? []), moving] } : stage.problem;
  const { search, uncertainty, memory, checks } = problem.options ?? {};
  const options: EstimateOptions = {
    memory,
    search: {
      ...search,
      seed: seed ?? search?.seed,
      iterations: iterations ?? search?.iterations,
      starts: starts ?? search?.starts,
    },
    uncertainty: {
      ...uncertainty,
      intervals: intervals ?? uncertainty?.intervals,
      verify: verify ?? uncertainty?.verify,
    },
  };
  const progress = await showProgress(stage.name, terminal, controls.quiet);
  try {
    const asked = { ...problem, options: { ...options, checks } };
    const found = await engine.optim.estimate(asked, { device, signal, journal, onIteration: progress.update });
    progress.end();
    const advice = signal.aborted ? [] : await adviceOn(engine, stage, found, { device, signal });
    const motion = motionIn(stage, found);
    const { mass } = found.given;
    const { seen: course, wrong } = motion
      ? courseIn(motion, { mass: mass?.estimate, turns: stage.shown?.turns, ...controls.formulas })
      : { wrong: [] };
    for (const error of wrong) terminal.say(messageOf(error));
    const notes = [...(await notesOf(stage, found)), ...advice];
    const strip = await stripOf(stage, found);
    const names = { experiment: experiment.name, stage: stage.name };
    const { sha256, modules, versions } = sources();
    const source = { experiment: { file: request.experiment, sha256 }, modules, versions };
    return {
      record: stageRecord(names, found, notes, { ...shared, ...source, seed: found.seed, options }),
      estimate: found,
      problem: asked,
      strip,
      curves: stage.curves,
      motion: motion ? curvesOf(motion) : motionCurves(stage.problem, found),
      ...(course ? { course } : {}),
      ...(stage.shown ? { answers: stage.shown.answers } : {}),
      clock: clockOf(stage.problem),
      instants: (stage.problem.observations ?? []).map(({ instants = 1 }) => instants),
    };
  } catch (error) {
    if (signal.aborted && error instanceof Error && error.name === 'AbortError') return undefined;
    throw error;
  } finally {
    progress.end();
  }
}

/** Key of the position of what moves in a film that the stage compares. */
function movingOf({ shown, problem }: Stage): string | undefined {
  if (shown?.moving === undefined || !observedIn(problem)) return undefined;
  return typeof shown.moving === 'string' ? shown.moving : shown.moving.key;
}

/** Motion in the world of what moves in a film that the stage compares. */
function motionIn(stage: Stage, found: Estimate): Motion | undefined {
  const moving = movingOf(stage);
  const observed = observedIn(stage.problem);
  return moving === undefined || !observed || !found.predicted[moving] ? undefined : motionOf(found, observed, moving);
}

/** Human-readable result of a stage. */
function summary({ record, estimate: found }: FinishedStage): string[] {
  return [
    ...(record.goal ? [record.goal.note] : []),
    ...trust(record),
    ...estimateTable(found),
    ...derivedTable(record),
    ...givenTable(record),
    ...arrayLines(record),
    ...intervalLines(record),
    ...verificationLines(record),
    ...remarks(record),
    `Method: ${record.method}, ${record.methodReason}.`,
    ending(record),
  ];
}

function ending(record: StageRecord): string {
  const { iterations, loss, seconds, compileSeconds } = record;
  const [first, ...rest] = endingOf(record);
  return `${first.toUpperCase()}${rest.join('')} after ${iterations} iterations and ${seconds.toFixed(1)} s (${compileSeconds.toFixed(1)} s to compile); loss ${loss.toExponential(3)}.`;
}
