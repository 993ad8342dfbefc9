import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { VideoError } from '../errors.ts';
import type { ExternalCodec } from '../platform.ts';
import type { YuvPicture } from '../yuv.ts';

let found: Promise<ExternalCodec | null> | undefined;

/** The program ffmpeg, if the machine has one. */
export function findFfmpeg(): Promise<ExternalCodec | null> {
  found ??= new Promise((resolve) => {
    const probe = spawn('ffmpeg', ['-version'], { stdio: 'ignore' });
    probe.on('error', () => resolve(null));
    probe.on('close', (code) => resolve(code === 0 ? { decode } : null));
  });
  return found;
}

async function* decode(
  bytes: Uint8Array,
  range: { first: number; last: number },
  size: { width: number; height: number },
): AsyncGenerator<YuvPicture> {
  // ffmpeg has to seek in the file, which it cannot do in a pipe.
  const folder = await mkdtemp(join(tmpdir(), 'gradsim-video-'));
  try {
    const path = join(folder, 'film');
    await writeFile(path, bytes);
    yield* picturesOf(startFfmpeg(path, range), size);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Ffmpeg = ChildProcessByStdio<null, Readable, Readable>;

function startFfmpeg(path: string, { first, last }: { first: number; last: number }): Ffmpeg {
  const options = [
    ['-v', 'error', '-nostdin', '-noautorotate', '-i', path, '-map', '0:v:0'],
    ['-vf', `select=between(n\\,${first}\\,${last})`, '-frames:v', `${last - first + 1}`],
    ['-fps_mode', 'passthrough', '-sws_flags', 'bilinear+accurate_rnd+full_chroma_int'],
    ['-pix_fmt', 'rgba', '-f', 'rawvideo', 'pipe:1'],
  ];
  return spawn('ffmpeg', options.flat(), { stdio: ['ignore', 'pipe', 'pipe'] });
}

async function* picturesOf(ffmpeg: Ffmpeg, { width, height }: { width: number; height: number }) {
  const complaints: string[] = [];
  ffmpeg.stderr.setEncoding('utf8').on('data', (text: string) => complaints.push(text));
  const closed = new Promise<number | null>((resolve) => ffmpeg.on('close', resolve));
  const length = width * height * 4;
  let bytes = new Uint8Array(length);
  let filled = 0;
  try {
    for await (const chunk of ffmpeg.stdout as AsyncIterable<Uint8Array>) {
      let taken = 0;
      while (taken < chunk.length) {
        const part = chunk.subarray(taken, taken + length - filled);
        bytes.set(part, filled);
        filled += part.length;
        taken += part.length;
        if (filled < length) continue;
        const planes = [{ offset: 0, stride: width * 4 }];
        yield { format: 'RGBA', width, height, bytes, planes, matrix: null, fullRange: true };
        bytes = new Uint8Array(length);
        filled = 0;
      }
    }
    if ((await closed) !== 0) throw new VideoError(`ffmpeg reports: ${complaints.join('').trim()}`);
  } finally {
    ffmpeg.kill();
  }
}
