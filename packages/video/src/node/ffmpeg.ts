import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GradsimError } from '@gradsim/base';
import type { Size } from '../edit/resize.ts';
import type { NumberedPicture } from '../formats/container/container.ts';
import { refuseOblong } from '../formats/container/container.ts';
import { DecodingError } from '../formats/container/damage.ts';
import type { Material } from '../source/material.ts';
import type { YuvPicture } from '../source/yuv.ts';
import { type ExitStatus, exitFault, FfmpegProgram, type GroupGuard } from './ffmpeg-program.ts';
import { plainText } from './plain-text.ts';
import { readY4m, Y4mError } from './y4m.ts';

/** An opened film with the presentation times of its frames, s. */
export interface FfmpegFilm {
  readonly material: Material;
  readonly times: readonly number[];
  /** Width and height of its pictures as stored, px. */
  readonly storedSize: Size;
  /** Number of the video track, counted from 1. */
  readonly track: number;
}

/** Options by which a caller supervises the program ffmpeg. */
export interface FfmpegWatch {
  /** Ends the program when it is aborted. */
  readonly signal: AbortSignal;
  readonly guard: GroupGuard;
  /** Called after each decoded frame, even if it is not requested. */
  readonly onProgress: () => void;
}

interface FrameRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Decodes frames with the program ffmpeg, as stored: neither rotated nor converted.
 *
 * @throws DecodingError with the first damaged frame when ffmpeg reports damage; GradsimError when its output is not
 * the pictures of this film.
 */
export async function* decodeWithFfmpeg(
  film: FfmpegFilm,
  range: FrameRange,
  watch: FfmpegWatch,
): AsyncGenerator<NumberedPicture> {
  const { path, remove } = await pathOf(film.material);
  try {
    const complaints = yield* pictures(path, film, range, watch);
    if (complaints === '') return;
    const frame = await firstDamaged(path, film, range, watch);
    throw new DecodingError(`ffmpeg says: ${complaints}`, frame);
  } finally {
    await remove();
  }
}

/** Returns the path of a film's file, written for bytes: ffmpeg has to seek in it, which it cannot do in a pipe. */
async function pathOf({ address, bytes }: Material): Promise<{ path: string; remove: () => Promise<void> }> {
  if (address !== undefined) return { path: address, remove: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'gradsim-video-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'film');
  await writeFile(path, await bytes()).catch(async (error) => {
    await remove();
    throw error;
  });
  return { path, remove };
}

/** Calls `use` with the path of a film's file. */
export async function withPath<T>(material: Material, use: (path: string) => Promise<T>): Promise<T> {
  const { path, remove } = await pathOf(material);
  return use(path).finally(remove);
}

/** Returns command-line options for decoding one track of a file to standard output. */
export function optionsOf(path: string, track: number, decoding: readonly string[], output: readonly string[]) {
  return [
    ...['-v', 'level+info', '-nostats', '-nostdin', '-hide_banner', '-noautorotate', ...decoding],
    // V excludes cover pictures of sound tracks; gradsim's own count excludes them too.
    ...['-i', `file:${path}`, '-map', `0:V:${track - 1}`, '-fps_mode', 'passthrough'],
    ...[...output, 'pipe:1'],
  ];
}

/** Parses number and presentation time (s) of a frame from a line that ffmpeg's filter showinfo prints. */
function frameInLine(line: string): { readonly frame: number; readonly time: number } | undefined {
  const [, frame, time] = /showinfo\S* @ .*?\bn:\s*(\d+)\s.*?\bpts_time:\s*(\S+)/.exec(line) ?? [];
  return frame === undefined ? undefined : { frame: Number(frame), time: Number(time) };
}

/** Pixel formats that are taken as they are; ffmpeg converts others, such as the RGB of uncompressed AVI. */
const PIXELS = ['420', '422', '444']
  .flatMap((sampling) => [`yuv${sampling}p`, `yuvj${sampling}p`, `yuv${sampling}p10le`, `yuv${sampling}p12le`])
  .join('|');

/**
 * Yields the pictures of a range, and returns ffmpeg's reports of damage; empty if there are none.
 * @throws GradsimError when the output is not a picture of this film, or ffmpeg ends abnormally without a report.
 */
async function* pictures(
  path: string,
  { material: { name }, storedSize: stored, track }: FfmpegFilm,
  { first, last }: FrameRange,
  { signal, guard, onProgress }: FfmpegWatch,
): AsyncGenerator<NumberedPicture, string> {
  const chosen = [
    ...['-vf', `showinfo=checksum=0,select=between(n\\,${first}\\,${last}),format=${PIXELS}`],
    ...['-frames:v', `${last - first + 1}`, '-strict', '-1', '-f', 'yuv4mpegpipe'],
  ];
  let decoded = -1;
  const ffmpeg = new FfmpegProgram(optionsOf(path, track, [], chosen), {
    guard,
    signal,
    onLine: (line) => {
      const shown = frameInLine(line);
      // Only up to the last frame: counting on without end is no progress.
      if (shown && shown.frame > decoded && shown.frame <= last) {
        decoded = shown.frame;
        onProgress();
      }
      return !line.includes('showinfo');
    },
  });
  let [index, matrix] = [first, undefined as string | null | undefined];
  try {
    for await (const picture of readY4m(ffmpeg.output, stored)) {
      if (index > last)
        throw programFailure(name, `it gives more than the ${last - first + 1} pictures it was asked for.`);
      matrix ??= matrixIn(ffmpeg.lines);
      refuseInterlaced(name, ffmpeg.lines);
      refuseOblong(name, picture.pixelShape);
      const own = matrix;
      yield { index: index++, picture: async (): Promise<YuvPicture> => ({ ...picture, matrix: own }) };
    }
    const ending = await ffmpeg.ended;
    if (ffmpeg.error) throw programFailure(name, `it cannot be started: ${plainText(ffmpeg.error.message)}.`);
    const complaints = complaintsIn(ffmpeg.lines);
    if (complaints !== '') return complaints;
    refuseEnding(name, ending, index, last);
    return '';
  } catch (error) {
    if (!(error instanceof Y4mError)) throw error;
    // A failing program first reports, then ends in the middle of a picture.
    const complaints = complaintsIn(ffmpeg.lines);
    if (complaints !== '') return complaints;
    throw programFailure(name, plainText(error.message));
  } finally {
    ffmpeg.end();
  }
}

/**
 * Checks how ffmpeg ended, when it reported no damage.
 * @throws GradsimError for an abnormal exit, DecodingError when pictures are missing.
 */
function refuseEnding(name: string, ending: ExitStatus, index: number, last: number): void {
  const bad = exitFault(ending);
  if (bad) throw programFailure(name, `${bad} It says nothing of damage.`);
  if (index <= last)
    throw new DecodingError('the program ffmpeg ended without a picture of it, and without a complaint.', index);
}

const programFailure = (name: string, reason: string): GradsimError =>
  new GradsimError(
    'video/ffmpeg-unusable',
    `${name} cannot be decoded by the program ffmpeg of this machine: ${reason} That is the program's fault, not the film's, unless other programs stumble over it too.`,
    { hint: 'Try another ffmpeg, 5.1 or newer.' },
  );

/**
 * Pattern of messages that ffmpeg also prints for undamaged films: about frames before the first decodable one, and
 * about reference lists.
 */
const HARMLESS_MESSAGES = /mmco: unref short failure|co located POCs unavailable|deprecated pixel format/;

/** Returns up to three reports of damage among ffmpeg's lines, each as a sentence; empty if there are none. */
export function complaintsIn(lines: readonly string[]): string {
  const plain = lines
    .filter((line) => /\[(?:error|fatal|panic)\]|concealing \d+/.test(line) && !HARMLESS_MESSAGES.test(line))
    .map((line) => plainText(line.replace(/\[[^\]]*\]\s*/g, '')).replace(/\.$/, ''));
  return [...new Set(plain)]
    .slice(0, 3)
    .map((line) => `${line}.`)
    .join(' ');
}

/**
 * Returns the name of the film's colour matrix, which ffmpeg prints in brackets after the pixel format; null if
 * unknown.
 */
function matrixIn(lines: readonly string[]): string | null {
  const line = lines.find((each) => /Stream #\d/.test(each) && each.includes('Video: ')) ?? '';
  const inside = /\b(?:yuv|gray|nv)\w*\(([^)]*)\)/.exec(line)?.[1] ?? '';
  const words = inside.split(', ').filter((word) => !/^(?:tv|pc|progressive|top|bottom|left|center)/.test(word));
  const matrix = words[0]?.split('/')[0];
  if (!matrix || matrix === 'unknown') return null;
  return matrix === 'bt2020nc' ? 'bt2020-ncl' : matrix;
}

/** @throws GradsimError for a film of fields, every other line of which shows another moment. */
export function refuseInterlaced(name: string, lines: readonly string[]): void {
  const line = lines.find((each) => /Stream #\d/.test(each) && each.includes('Video: ')) ?? '';
  const [, order] = /\b\w+\((?:[^()]*, )?(top|bottom) (?:first|coded first)[^()]*\)/.exec(line) ?? [];
  if (order === undefined) return;
  throw new GradsimError(
    'video/interlaced',
    `${name} is interlaced, ${order} field first: the odd and even lines of its pictures show two moments, and what moves has combs.`,
    {
      field: name,
      hint: 'Make a frame of each field, then use that film, of twice the rate: `ffmpeg -i FILE -vf bwdif=mode=send_field -crf 12 fields.mp4`',
    },
  );
}

/** Returns the first damaged frame of a range: one that a strict decoder drops, or that ffmpeg marks as corrupt. */
async function firstDamaged(
  path: string,
  { times, track }: FfmpegFilm,
  { first, last }: FrameRange,
  { signal, guard, onProgress }: FfmpegWatch,
): Promise<number> {
  // With one thread, messages about a frame come before the line that shows it.
  const careful = ['-threads', '1', '-err_detect', 'crccheck+bitstream+buffer+explode', '-copyts'];
  const output = ['-vf', 'showinfo=checksum=0', '-f', 'null'];
  const good: number[] = [];
  let [isCorrupt, decoded] = [false, -1];
  const apart = times.length > 1 ? (times[times.length - 1] - times[0]) / (times.length - 1) : 1;
  const ffmpeg = new FfmpegProgram(optionsOf(path, track, careful, output), {
    guard,
    signal,
    onLine: (line) => {
      isCorrupt ||= line.includes('corrupt decoded frame');
      const shown = frameInLine(line);
      if (!shown || shown.frame <= decoded || shown.frame >= times.length) return false;
      decoded = shown.frame;
      onProgress();
      if (!isCorrupt) good.push(shown.time);
      isCorrupt = false;
      // A frame after the last requested one: the others have come before it.
      if (shown.time > times[last] + apart / 2) ffmpeg.end();
      return false;
    },
  });
  try {
    await ffmpeg.drained();
  } finally {
    ffmpeg.end();
  }
  // Both ascend, so one pass finds the first frame without a good picture.
  let k = 0;
  for (let f = first; f <= last; f++) {
    while (k < good.length && good[k] <= times[f] - apart / 2) k++;
    if (!(k < good.length && good[k] < times[f] + apart / 2)) return f;
  }
  return first;
}
