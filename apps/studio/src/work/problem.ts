// Worker of an estimation: builds the problem of a kind of experiment from the page's film and measurements.
import type { Kind } from '@gradsim/kinds';
import { KINDS } from '@gradsim/kinds';
import type { Stage } from '@gradsim/optim';
import { defineProblem } from '@gradsim/optim';
import { type FilmInfo, inspectFilm } from '@gradsim/video';
import { observedIn } from '../../../../packages/gradsim/src/experiment/motion/observed.ts';
import type { KindFile } from '../../../../packages/gradsim/src/studio/kind-file.ts';
import { PAGE_VALUES } from '../kinds.ts';
import { linkKind } from './link.ts';
import type { NotesOrder, StudioReport, StudioSettings } from './problem-messages.ts';

/** Part of a frame interval by which frames that are made even may be off the times of their pictures. */
const MAX_TIME_DIFFERENCE = 0.3;

const post = (report: StudioReport): void => postMessage(report);

let stage: Stage;

export default defineProblem<StudioSettings>(async ({ settings, device, signal, onProgress }) => {
  const { file, measured } = settings;
  const kind = settings.kindFile ? await kindIn(settings.kindFile) : KINDS.find(({ name }) => name === settings.kind)!;
  const log = (): void => onProgress?.('start', 0);
  // The page has no other files.
  const fileOf = (path: string): string => path;
  const stages = await kind.stages(
    { ...measured, ...PAGE_VALUES, video: file.name },
    { device, log, signal, video: file, fileOf, onProgress },
  );
  [stage] = stages;
  const { problem } = stage;
  const observed = observedIn(problem);
  if (stages.length > 1 || !observed)
    throw new Error(
      `The studio estimates in one stage that compares outlines with the film (outlineFitStage): estimate ${kind.name} by the command.`,
    );
  const { first, frameRate } = measured as Readonly<Record<string, number | null>>;
  const frameOf = framesOf(observed.times, await inspectFilm(file, { signal }), first ?? 0, frameRate);
  post({ studio: 'observed', observed: { ...observed, frameOf } });
  // The motion in the world, for curves.
  return { ...problem, predict: [...(problem.predict ?? []), ...(kind.moving ? [kind.moving] : [])] };
});

/** Kind in a file, by the file's address. */
const kindIn = async (file: string): Promise<Kind> => linkKind((await import(/* @vite-ignore */ file)) as KindFile);

/** Frame that shows each picture of the file from the first that is used on: the one at its time; -1 after the last. */
function framesOf(times: readonly number[], info: FilmInfo, first: number, rate: number | null): number[] {
  const { times: stamps, frameRate: own = 1 } = info;
  if (!stamps) return [...times.keys()];
  const pictures = stamps.slice(first).map((time) => ((time - stamps[first]) * own) / (rate ?? own));
  return pictures.map((time) =>
    times.findIndex((frame) => Math.abs(frame - time) < MAX_TIME_DIFFERENCE / (rate ?? own)),
  );
}

addEventListener('message', async ({ data }: MessageEvent<NotesOrder>) => {
  if (data.studio === 'notes of') post({ studio: 'notes', notes: (await stage.notes?.(data.estimate)) ?? [] });
});
