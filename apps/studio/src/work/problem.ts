// Worker of an estimation: builds the problem of a kind of experiment from the page's film and measurements.
import { timeOfFrame } from '@gradsim/core';
import type { Experiment, Stage } from '@gradsim/optim';
import { defineProblem } from '@gradsim/optim';
import { type KindName, MOVING_FIELD } from '../kinds.ts';
import { source } from './film-of.ts';
import { measured } from './measured.ts';
import type { NotesOrder, StudioReport, StudioSettings } from './problem-messages.ts';

const post = (report: StudioReport): void => postMessage(report);

const EXPERIMENTS: Readonly<Record<KindName, () => Promise<{ readonly default: Experiment }>>> = {
  ball: () => import('../../../../packages/gradsim/template/ball/ball.ts'),
  slide: () => import('../../../../packages/gradsim/template/slide/slide.ts'),
  pendulum: () => import('../../../../packages/gradsim/template/pendulum/pendulum.ts'),
};

let stage: Stage;

export default defineProblem<StudioSettings>(async ({ settings, device, signal, onProgress }) => {
  const { kind, file } = settings;
  Object.assign(measured, settings.measured);
  source.file = file;
  source.onProgress = onProgress;
  const { default: experiment } = await EXPERIMENTS[kind]();
  const log = (): void => onProgress?.('start', 0);
  [stage] = await experiment.stages({ device, settings: {}, log, signal });
  const { problem } = stage;
  const [outlines] = problem.observations!;
  const weights = outlines.weights as readonly number[];
  const isSeen = Array.from({ length: problem.frames }, (_, frame) => weights[3 * frame + 1] > 0);
  const flat = Array.from(outlines.target as ArrayLike<number>);
  const valuesOf = (name: string): number[] => Array.from(problem.model.field(`cameras.${name}`).values!);
  const camera = {
    rotation: valuesOf('rotation'),
    translation: valuesOf('translation'),
    focalLength: valuesOf('focalLength')[0],
  };
  const times = isSeen.map((_, frame) => timeOfFrame(problem, frame));
  post({ studio: 'observed', observed: { outlines: flat, isSeen, times, camera } });
  // The motion in the world, for curves.
  return { ...problem, checks: [...(problem.checks ?? []), { field: MOVING_FIELD[kind], of: () => undefined }] };
});

addEventListener('message', async ({ data }: MessageEvent<NotesOrder>) => {
  if (data.studio === 'notes of') post({ studio: 'notes', notes: (await stage.notes?.(data.estimate)) ?? [] });
});
