// Worker of an estimation: builds the problem of a kind of experiment from the page's film and measurements.
import { timeOfFrame } from '@gradsim/core';
import type { Stage } from '@gradsim/optim';
import { defineProblem } from '@gradsim/optim';
import { kindOf } from '../kinds.ts';
import type { NotesOrder, StudioReport, StudioSettings } from './problem-messages.ts';

const post = (report: StudioReport): void => postMessage(report);

let stage: Stage;

export default defineProblem<StudioSettings>(async ({ settings, device, signal, onProgress }) => {
  const { file, measured } = settings;
  const kind = kindOf(settings.kind);
  const log = (): void => onProgress?.('start', 0);
  // The page has no other files.
  const fileOf = (path: string): string => path;
  [stage] = await kind.stages(
    { ...measured, video: file.name },
    { device, log, signal, video: file, fileOf, onProgress },
  );
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
  return { ...problem, checks: [...(problem.checks ?? []), { field: kind.moving!, of: () => undefined }] };
});

addEventListener('message', async ({ data }: MessageEvent<NotesOrder>) => {
  if (data.studio === 'notes of') post({ studio: 'notes', notes: (await stage.notes?.(data.estimate)) ?? [] });
});
