// Worker of an estimation: builds the problem of a kind of experiment from the page's film and measurements.
import { timeOfFrame } from '@gradsim/core';
import type { Stage } from '@gradsim/optim';
import { defineProblem } from '@gradsim/optim';
import { type FilmInfo, inspectFilm } from '@gradsim/video';
import { kindOf, OF_PAGES } from '../kinds.ts';
import type { NotesOrder, StudioReport, StudioSettings } from './problem-messages.ts';

/** Part of a frame interval by which frames that are made even may be off the times of their pictures. */
const NEAR = 0.3;

const post = (report: StudioReport): void => postMessage(report);

let stage: Stage;

export default defineProblem<StudioSettings>(async ({ settings, device, signal, onProgress }) => {
  const { file, measured } = settings;
  const kind = kindOf(settings.kind);
  const log = (): void => onProgress?.('start', 0);
  // The page has no other files.
  const fileOf = (path: string): string => path;
  [stage] = await kind.stages(
    { ...measured, ...OF_PAGES, video: file.name },
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
  const { first, frameRate } = measured as Readonly<Record<string, number | null>>;
  const frameOf = framesOf(times, await inspectFilm(file, { signal }), first ?? 0, frameRate);
  post({ studio: 'observed', observed: { outlines: flat, isSeen, times, frameOf, camera } });
  // The motion in the world, for curves.
  return { ...problem, predict: [...(problem.predict ?? []), kind.moving!] };
});

/** Frame that shows each picture of the file from the first that is used on: the one at its time; -1 after the last. */
function framesOf(times: readonly number[], info: FilmInfo, first: number, rate: number | null): number[] {
  const { times: stamps, frameRate: own = 1 } = info;
  if (!stamps) return [...times.keys()];
  const pictures = stamps.slice(first).map((time) => ((time - stamps[first]) * own) / (rate ?? own));
  return pictures.map((time) => times.findIndex((frame) => Math.abs(frame - time) < NEAR / (rate ?? own)));
}

addEventListener('message', async ({ data }: MessageEvent<NotesOrder>) => {
  if (data.studio === 'notes of') post({ studio: 'notes', notes: (await stage.notes?.(data.estimate)) ?? [] });
});
