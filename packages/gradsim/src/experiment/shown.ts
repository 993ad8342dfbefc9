import { GradsimError } from '@gradsim/core';
import type { Experiment, ExperimentContext, RenderedFrames, Run } from '@gradsim/optim';
import { describe } from '../terminal/describe.ts';
import { callExperiment } from './call.ts';

/** Calls an experiment's function `render`. @throws if it does not return a film. */
export async function renderedBy(
  { name }: Experiment,
  render: NonNullable<Experiment['render']>,
  context: ExperimentContext,
): Promise<RenderedFrames> {
  const what = `The function \`render\` of the experiment "${name}"`;
  const film: unknown = await callExperiment(what, () => render(context));
  if (typeof film !== 'object' || film === null)
    throw new GradsimError('gradsim/experiment-wrong', noneOf(what, film, FILM));
  const { width, height, channels, frameRate, data } = film as Record<keyof RenderedFrames, unknown>;
  const isSize = (size: unknown): size is number => Number.isSafeInteger(size) && (size as number) > 0;
  if (!isSize(width) || !isSize(height))
    throw new GradsimError(
      'gradsim/experiment-wrong',
      `${what} returns a film of ${describe(width)} x ${describe(height)} pixels.`,
      { hint: 'It must have some.' },
    );
  if (channels !== 3 && channels !== 4)
    throw new GradsimError('gradsim/experiment-wrong', `${what} returns a film with channels ${describe(channels)}.`, {
      hint: 'It must have 3 or 4.',
    });
  if (!(typeof frameRate === 'number' && frameRate > 0 && Number.isFinite(frameRate)))
    throw new GradsimError(
      'gradsim/experiment-wrong',
      `${what} returns a film with the frameRate ${describe(frameRate)}.`,
      { hint: 'It must be above 0.' },
    );
  const pixels = width * height * channels;
  if (!(data instanceof Float32Array) || data.length === 0 || data.length % pixels !== 0)
    throw new GradsimError('gradsim/experiment-wrong', `${what} returns a film with the data ${describe(data)}.`, {
      hint: `It must be a Float32Array of frames of ${pixels} values.`,
    });
  return film as RenderedFrames;
}

/** Calls an experiment's function `motion`. @throws if it does not return a model over time. */
export async function motionBy(
  { name }: Experiment,
  motion: NonNullable<Experiment['motion']>,
  context: ExperimentContext,
): Promise<Run> {
  const what = `The function \`motion\` of the experiment "${name}"`;
  const run: unknown = await callExperiment(what, () => motion(context));
  if (typeof run !== 'object' || run === null || !('model' in run))
    throw new GradsimError('gradsim/experiment-wrong', noneOf(what, run, RUN));
  return run as Run;
}

const FILM = 'a film: { width, height, channels, frameRate, data }';
const RUN = 'a model over time: { model, frames, frameRate, substeps }';

const noneOf = (what: string, value: unknown, must: string): string =>
  `${what} returns ${value === undefined ? 'nothing' : describe(value)}; it must return ${must}.`;
