import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { NumberedPicture } from '../container.ts';
import { DecodingError } from '../damage.ts';
import type { Material } from '../material.ts';
import type { YuvPicture } from '../yuv.ts';
import { readY4m } from './y4m.ts';

let found: Promise<boolean> | undefined;

/** Whether the machine has the program ffmpeg. */
export function hasFfmpeg(): Promise<boolean> {
  found ??= new Promise((resolve) => {
    const probe = spawn('ffmpeg', ['-version'], { stdio: 'ignore' });
    probe.on('error', () => resolve(false));
    probe.on('close', (code) => resolve(code === 0));
  });
  return found;
}

/** What is decoded: a film that has been opened, with the times of its frames. */
export interface FfmpegFilm {
  readonly material: Material;
  readonly times: readonly number[];
}

/**
 * Decodes frames with the program ffmpeg, as they are stored: not rotated, not converted.
 *
 * @param signal ends the program when it is aborted.
 * @throws DecodingError with the first damaged frame when ffmpeg complains about one.
 */
export async function* decodeWithFfmpeg(
  { material, times }: FfmpegFilm,
  range: { first: number; last: number },
  signal: AbortSignal,
): AsyncGenerator<NumberedPicture> {
  // ffmpeg has to seek in the file, which it cannot do in a pipe.
  const folder = material.address === undefined ? await mkdtemp(join(tmpdir(), 'gradsim-video-')) : undefined;
  try {
    const path = folder === undefined ? material.address! : join(folder, 'film');
    if (folder !== undefined) await writeFile(path, await material.bytes());
    const complaints = yield* pictures(path, range, signal);
    if (complaints === '') return;
    const frame = await firstDamaged(path, times, range, signal);
    throw new DecodingError(`ffmpeg says: ${complaints}`, frame);
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

type Ffmpeg = ChildProcessByStdio<null, Readable, Readable>;

/** Decodes the file with options of its own, to standard output. */
function start(
  path: string,
  { decoding = [], output }: { decoding?: readonly string[]; output: readonly string[] },
  signal: AbortSignal,
): Ffmpeg {
  const quiet = ['-v', 'level+info', '-nostats', '-nostdin', '-hide_banner'];
  const input = [
    '-noautorotate',
    ...decoding,
    '-i',
    `file:${path}`,
    '-map',
    '0:v:0',
    '-fps_mode',
    'passthrough',
  ];
  const ffmpeg = spawn('ffmpeg', [...quiet, ...input, ...output, 'pipe:1'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  // What was aborted fails, to nobody's interest; whoever reads finds its end.
  ffmpeg.on('error', () => {});
  return ffmpeg;
}

/** Yields pictures, and gives back what ffmpeg complained about. */
async function* pictures(
  path: string,
  { first, last }: { first: number; last: number },
  signal: AbortSignal,
): AsyncGenerator<NumberedPicture, string> {
  const chosen = ['-vf', `select=between(n\\,${first}\\,${last})`, '-frames:v', `${last - first + 1}`];
  const ffmpeg = start(path, { output: [...chosen, '-strict', '-1', '-f', 'yuv4mpegpipe'] }, signal);
  const log = logOf(ffmpeg);
  let index = first;
  try {
    for await (const picture of readY4m(ffmpeg.stdout as AsyncIterable<Uint8Array>)) {
      const matrix = matrixIn(log.text());
      yield { index: index++, picture: async (): Promise<YuvPicture> => ({ ...picture, matrix }) };
    }
    const code = await log.closed;
    const complaints = complaintsIn(log.text());
    return complaints === '' && code !== 0 ? `it ended with the code ${code}.` : complaints;
  } finally {
    ffmpeg.kill('SIGKILL');
  }
}

function logOf(ffmpeg: Ffmpeg): { text: () => string; closed: Promise<number | null> } {
  let log = '';
  ffmpeg.stderr.setEncoding('utf8').on('data', (text: string) => {
    // A broken film can be complained about without end.
    if (log.length < 1e6) log += text;
  });
  const closed = new Promise<number | null>((resolve) => {
    ffmpeg.on('close', resolve);
    ffmpeg.on('error', () => resolve(null));
  });
  return { text: () => log, closed };
}

/** Said of films that are whole: frames before the first one that can be begun with, and lists kept too long. */
const HARMLESS = /mmco: unref short failure|co located POCs unavailable|deprecated pixel format/;

/** What a log says of damage, its first lines in one; empty when there is none. */
function complaintsIn(log: string): string {
  const lines = log
    .split(/\r?\n/)
    .filter((line) => /\[(?:error|fatal|panic)\]|concealing \d+/.test(line) && !HARMLESS.test(line));
  const plain = lines.map((line) => line.replace(/\[[^\]]*\]\s*/g, '').replace(/\.?\s*$/, '.'));
  return [...new Set(plain)].slice(0, 3).join(' ');
}

/** The matrix of the pictures by ffmpeg's word for it, which stands in brackets behind the pixel format. */
function matrixIn(log: string): string | null {
  const stream = /Stream #\S+.*Video: .*?\b(?:yuv|gray|nv)\w*\(([^)]*)\)/.exec(log)?.[1] ?? '';
  const words = stream
    .split(', ')
    .filter((word) => !/^(?:tv|pc|progressive|top|bottom|left|center)/.test(word));
  const matrix = words[0]?.split('/')[0];
  if (matrix === undefined || matrix === 'unknown') return null;
  return matrix === 'bt2020nc' ? 'bt2020-ncl' : matrix;
}

/** The first frame of a range that is damaged: left out by a careful decoder, or called corrupt when it comes. */
async function firstDamaged(
  path: string,
  times: readonly number[],
  { first, last }: { first: number; last: number },
  signal: AbortSignal,
): Promise<number> {
  const decoding = ['-threads', '1', '-err_detect', 'crccheck+bitstream+buffer+explode', '-copyts'];
  const ffmpeg = start(path, { decoding, output: ['-vf', 'showinfo', '-f', 'null'] }, signal);
  const good: number[] = [];
  let isCorrupt = false;
  // On one thread, what is said of a frame comes before the line that shows it.
  for await (const line of createInterface({ input: ffmpeg.stderr })) {
    isCorrupt ||= line.includes('corrupt decoded frame');
    const time = /showinfo.* pts_time:\s*(\S+)/.exec(line)?.[1];
    if (time === undefined) continue;
    if (!isCorrupt) good.push(Number(time));
    isCorrupt = false;
  }
  const apart = times.length > 1 ? (times[times.length - 1] - times[0]) / (times.length - 1) : 1;
  for (let f = first; f <= last; f++)
    if (!good.some((time) => Math.abs(time - times[f]) < apart / 2)) return f;
  return first;
}
