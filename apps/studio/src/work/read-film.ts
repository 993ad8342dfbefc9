// Reads a film in a worker: its properties, its pictures to show, and the things that move in it.
import type { Film } from '@gradsim/film';
import type { FilmInfo, Frames } from '@gradsim/video';
import { frameCount, inspectFilm, outlinesOf, readFrames } from '@gradsim/video';
import type { FilmOrder, FilmReport, Pictures, Thing } from './film-messages.ts';
import { filmOf, source } from './film-of.ts';
import { sentenceOf } from './sentence.ts';

const post = (report: FilmReport, transfer: Transferable[] = []): void => postMessage(report, { transfer });

/** Longer side to which pictures to show are reduced, px. */
const SHOWN = 640;
/** Largest number of values (red, green and blue of all pixels of all frames) that a page can hold for an estimate. */
const MOST_VALUES = 300e6;
/** Number of tracks that are shown, the largest first: others are mostly noise. */
const MOST_THINGS = 6;

addEventListener('message', ({ data }: MessageEvent<FilmOrder>) => {
  run(data).catch((error: unknown) => post({ kind: 'failed', ...sentenceOf(error) }));
});
post({ kind: 'ready' });

async function run({ file, measured, pictures, thin }: FilmOrder): Promise<void> {
  const info = await inspectFilm(file);
  const unusable = unusableOf(file.name, info);
  if (unusable !== undefined) return post({ kind: 'failed', message: unusable });
  post({ kind: 'info', info });
  if (pictures) {
    const scale = Math.min(1, SHOWN / Math.max(info.width, info.height));
    const size = { width: Math.round(info.width * scale), height: Math.round(info.height * scale) };
    const frames = await readFrames(file, {
      size,
      ...(info.frameRate === undefined ? { frameRate: 30 } : {}),
      onProgress: (done, of) => post({ kind: 'progress', step: 'pictures', fraction: done / of }),
    });
    const shown = shownOf(frames);
    post({ kind: 'pictures', pictures: shown }, [shown.rgba.buffer]);
  }
  const { first, last } = measured as Readonly<Record<string, number | null>>;
  const count = (last ?? info.frameCount - 1) - (first ?? 0) + 1;
  const most = mostFrames(info);
  if (count > most) {
    const hint = `Choose a first and a last frame that are at most ${most} frames apart, around what you want to measure.`;
    post({
      kind: 'failed',
      message: `These ${count} frames of ${info.width} x ${info.height} pixels are too many for this page.`,
      hint,
    });
    return;
  }
  source.file = file;
  source.onProgress = (step, fraction) => post({ kind: 'progress', step: step as 'reading' | 'masks', fraction });
  const film = await filmOf(measured, {}, thin ? 'moving' : { thin: false });
  post({ kind: 'things', things: thingsOf(film, first ?? 0) });
}

/** Number of frames of a film's size that a page can hold. */
const mostFrames = ({ width, height }: FilmInfo): number => Math.floor(MOST_VALUES / (3 * width * height));

/** Sentence on a film of which no part can be used; undefined for others. */
function unusableOf(name: string, info: FilmInfo): string | undefined {
  const { frameCount: count, width, height } = info;
  if (count < 2) return `${name} is a single picture: a motion takes a film.`;
  if (mostFrames(info) < 2)
    return `The pictures of ${name} have ${width} x ${height} pixels, too many for this page: export it smaller.`;
  return undefined;
}

function shownOf(frames: Frames): Pictures {
  const { width, height, data } = frames;
  const count = frameCount(frames);
  const rgba = new Uint8ClampedArray(4 * width * height * count);
  for (let pixel = 0; pixel < width * height * count; pixel++) {
    for (let c = 0; c < 3; c++) rgba[4 * pixel + c] = 255 * data[3 * pixel + c];
    rgba[4 * pixel + 3] = 255;
  }
  return { width, height, count, rgba };
}

const thingsOf = ({ tracks, masks }: Film, first: number): Thing[] =>
  tracks.slice(0, MOST_THINGS).map(({ name, points }) => ({
    name,
    seen: points.map(({ frame, x, y, blob }) => {
      const { left, top, right, bottom } = blob?.bounds ?? { left: x, top: y, right: x, bottom: y };
      const within = { x: left, y: top, width: right - left, height: bottom - top };
      return { frame: first + frame, x, y, outline: blob ? outlinesOf(masks, frame, within) : [] };
    }),
  }));
