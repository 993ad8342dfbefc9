// Worker of an estimation: builds the problem of a kind of experiment from the page's film and measurements.
import type { FieldKey } from '@gradsim/core';
import { timeOfFrame } from '@gradsim/core';
import type { Kind } from '@gradsim/kinds';
import { KINDS } from '@gradsim/kinds';
import type { Stage } from '@gradsim/optim';
import { defineProblem } from '@gradsim/optim';
import { type FilmInfo, inspectFilm } from '@gradsim/video';
import type { KindFile } from '../../../../packages/gradsim/src/studio/kind-file.ts';
import { OF_PAGES, OUTLINE } from '../kinds.ts';
import { linkKind } from './link.ts';
import type { NotesOrder, StudioReport, StudioSettings } from './problem-messages.ts';

/** Part of a frame interval by which frames that are made even may be off the times of their pictures. */
const NEAR = 0.3;

const post = (report: StudioReport): void => postMessage(report);

let stage: Stage;

export default defineProblem<StudioSettings>(async ({ settings, device, signal, onProgress }) => {
  const { file, measured } = settings;
  const kind = settings.kindFile ? await kindIn(settings.kindFile) : KINDS.find(({ name }) => name === settings.kind)!;
  const log = (): void => onProgress?.('start', 0);
  // The page has no other files.
  const fileOf = (path: string): string => path;
  const stages = await kind.stages(
    { ...measured, ...OF_PAGES, video: file.name },
    { device, log, signal, video: file, fileOf, onProgress },
  );
  [stage] = stages;
  const { problem } = stage;
  const outlines = problem.observations?.find(({ field }) => keyOf(field) === OUTLINE);
  if (stages.length > 1 || !outlines)
    throw new Error(
      `The studio estimates in one stage that compares outlines with the film (outlineFitStage): estimate ${kind.name} by the command.`,
    );
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
  return { ...problem, predict: [...(problem.predict ?? []), ...(kind.moving ? [kind.moving] : [])] };
});

const keyOf = (field: FieldKey): string => (typeof field === 'string' ? field : field.key);

/** Kind in a file, by the file's address. */
const kindIn = async (file: string): Promise<Kind> => linkKind((await import(/* @vite-ignore */ file)) as KindFile);

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
