import { GradsimError, timeOfFrame, usualRate } from '@gradsim/core';
import type { Experiment, ExperimentContext, Problem, RenderedFrames, Stage, Strip } from '@gradsim/optim';
import type { Engine } from './engine.ts';
import { stagesOf, stripOf } from './stages.ts';
import { startingFrom } from './start-from.ts';

/**
 * Pictures of a stage before any estimation: those that its strip shows of the estimate, at the true values if known,
 * else at the start of the search; with `from` at the values of that result.
 * @param name of the stage; default: the last stage that has a strip.
 * @param from `result.json` of a run, or its folder.
 * @throws if no stage has pictures, or none has that name.
 */
export async function showStage(
  experiment: Experiment,
  { optim }: Engine,
  context: ExperimentContext,
  name: string | undefined,
  from: string | undefined,
): Promise<RenderedFrames> {
  const own = await stagesOf(experiment, context);
  const stages = from === undefined ? own : startingFrom(from, own);
  const shown = stages.filter(({ strip }) => strip !== undefined);
  if (shown.length === 0)
    throw new GradsimError(
      'gradsim/nothing-to-show',
      `The experiment "${experiment.name}" cannot be rendered: it has no render function, and no stage has a strip.`,
    );
  const stage = name === undefined ? shown.at(-1) : shown.find((each) => each.name === name);
  if (!stage)
    throw new GradsimError(
      'gradsim/no-stage',
      `The experiment "${experiment.name}" has no stage "${name}" with a strip; there ${shown.length > 1 ? 'are' : 'is'} ${shown.map((each) => each.name).join(', ')}.`,
    );
  const found = await optim.estimate(shownOf(stage, from === undefined), {
    device: context.device,
    signal: context.signal,
  });
  const strip = (await stripOf(stage, found))!;
  const { width, height, frames, estimate } = strip;
  const data = new Float32Array(3 * width * height * frames.length);
  for (const k of frames.keys()) data.set(await estimate(k), 3 * width * height * k);
  return { width, height, channels: 3, frameRate: rateOf(strip, stage.problem), data };
}

/**
 * Copy of a stage's problem that is evaluated without a search, where it starts, or at the true values where they are known.
 */
function shownOf({ problem }: Stage, isAtTruth: boolean): Problem {
  const { parameters = [], arrays = [], options: { memory } = {} } = problem;
  const { derived: _, refined: __, ...shown } = problem;
  const startOf = <T>({ truth, start, initial }: { readonly truth?: T; readonly start?: T; readonly initial: T }): T =>
    (isAtTruth ? truth : undefined) ?? start ?? initial;
  return {
    ...shown,
    parameters: parameters.map((spec) => ({ ...spec, start: startOf(spec) })),
    arrays: arrays.map((spec) => ({ ...spec, start: startOf(spec) })),
    options: { memory, search: { method: 'sgd', iterations: 0 } },
  };
}

/** Mean frame rate of a strip, which may skip frames of the problem, frames/s. */
function rateOf({ frames }: Strip, problem: Problem): number {
  const [first, last] = [frames[0], frames.at(-1)!].map((frame) => timeOfFrame(problem, frame));
  return last > first ? (frames.length - 1) / (last - first) : usualRate(problem);
}
