// Reads a film in a worker: its properties, its pictures to show, and the things that move in it.
import { isGradsimError } from '@gradsim/core';
import type { Film } from '@gradsim/film';
import type { MeasuredFilm } from '@gradsim/kinds';
import { filmOf, likelyKind } from '@gradsim/kinds';
import type { FilmInfo, Frames } from '@gradsim/video';
import { frameCount, inspectFilm, outlinesOf, readFrames, turnFrames } from '@gradsim/video';
import { PAGE_VALUES } from '../kinds.ts';
import type { FilmOrder, FilmReport, Pictures, TrackedThing } from './film-messages.ts';
import { sentenceOf } from './sentence.ts';

const post = (report: FilmReport, transfer: Transferable[] = []): void => postMessage(report, { transfer });

/** Longer side to which pictures to show are reduced, px. */
const MAX_SHOWN_SIDE = 640;
/** Largest number of values (red, green and blue of all pixels of all frames) that a page can hold for an estimate. */
const MAX_VALUES = 300e6;
/** Number of tracks that are shown, the largest first: others are mostly noise. */
const MAX_SHOWN_TRACKS = 6;

addEventListener('message', ({ data }: MessageEvent<FilmOrder>) => {
  run(data).catch((error: unknown) => post({ kind: 'failed', ...sentenceOf(error) }));
});
post({ kind: 'ready' });

async function run({ file, measured, pictures, mask }: FilmOrder): Promise<void> {
  const stored = await inspectFilm(file);
  const unusable = unusableOf(file.name, stored);
  if (unusable !== undefined) return post({ kind: 'failed', message: unusable });
  const upright = Number(measured.upright) as 0 | 90 | 180 | 270;
  const { width, height } = stored;
  const info = upright % 180 === 0 ? stored : { ...stored, width: height, height: width };
  post({ kind: 'info', info });
  const { first, last } = measured as Readonly<Record<string, number | null>>;
  const most = mostFrames(info);
  if ((last ?? info.frameCount - 1) - (first ?? 0) + 1 > most) return post({ kind: 'long', most });
  if (pictures) {
    // All of them, but of a film of which the page can hold only the part that was chosen.
    const part = info.frameCount > most ? { first: first ?? 0, last: last ?? info.frameCount - 1 } : {};
    const scale = Math.min(1, MAX_SHOWN_SIDE / Math.max(width, height));
    const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
    const frames = await readFrames(file, {
      ...part,
      size,
      ...(info.frameRate === undefined ? { frameRate: 30 } : {}),
      onProgress: (done, of) => post({ kind: 'progress', step: 'pictures', fraction: done / of }),
    });
    const shown = shownOf(turnFrames(frames, upright), part.first ?? 0);
    post({ kind: 'pictures', pictures: shown }, [shown.rgba.buffer]);
  }
  const nothing = {
    message: `Nothing moves in frames ${first ?? 0} to ${last ?? info.frameCount - 1} of ${file.name}, or hardly more than the noise of the pictures.`,
    hint: 'Take more frames, or a film in which the thing moves farther and looks unlike what is behind it.',
  };
  const film = await filmOf({ ...measured, ...PAGE_VALUES } as MeasuredFilm, {
    video: file,
    mask,
    fileOf: (path) => path,
    onProgress: (step, fraction) => post({ kind: 'progress', step, fraction }),
  }).catch((error: unknown) => {
    throw isGradsimError(error, 'video/nothing-differs') ? new Error(`${nothing.message} ${nothing.hint}`) : error;
  });
  const things = thingsOf(film, first ?? 0);
  const { info: own, count, times, tracks, reduction, frameRate } = film;
  const numbers = Array.from({ length: count }, (_, frame) => film.number(frame));
  post({
    kind: 'things',
    things,
    tracked: { info: own, count, times, tracks, reduction, frameRate, numbers },
    ...(things.length > 0 ? { likely: await likelyKind(film) } : { nothing }),
  });
}

/** Number of frames of a film's size that a page can hold. */
const mostFrames = ({ width, height }: FilmInfo): number => Math.floor(MAX_VALUES / (3 * width * height));

/** Sentence on a film of which no part can be used; undefined for others. */
function unusableOf(name: string, info: FilmInfo): string | undefined {
  const { frameCount: count, width, height } = info;
  if (count < 2) return `${name} is a single picture: a motion takes a film.`;
  if (mostFrames(info) < 2)
    return `The pictures of ${name} have ${width} x ${height} pixels, too many for this page: export it smaller.`;
  return undefined;
}

function shownOf(frames: Frames, first: number): Pictures {
  const { width, height, data } = frames;
  const count = frameCount(frames);
  const rgba = new Uint8ClampedArray(4 * width * height * count);
  for (let pixel = 0; pixel < width * height * count; pixel++) {
    for (let c = 0; c < 3; c++) rgba[4 * pixel + c] = 255 * data[3 * pixel + c];
    rgba[4 * pixel + 3] = 255;
  }
  return { first, width, height, count, rgba };
}

const thingsOf = ({ tracks, masks }: Film, first: number): TrackedThing[] =>
  tracks.slice(0, MAX_SHOWN_TRACKS).map(({ name, points }) => ({
    name,
    seen: points.map(({ frame, x, y, blob }) => {
      const { left, top, right, bottom } = blob?.bounds ?? { left: x, top: y, right: x, bottom: y };
      const within = { x: left, y: top, width: right - left, height: bottom - top };
      return { frame: first + frame, x, y, outline: blob ? outlinesOf(masks, frame, within) : [] };
    }),
  }));
