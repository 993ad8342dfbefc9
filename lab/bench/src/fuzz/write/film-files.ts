import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFrames, cutFrames, encodeFrames, type Frames, frameCount, readFrames } from '@gradsim/video';
import type { Draw } from '../draw.ts';
import type { FilmFile, FilmFormat } from './film-file.ts';
import { remuxToMp4 } from './mp4-files.ts';

/** Number of different films per format, reused because writing a video takes longer than reading it. */
const FILMS = 6;
/** Formats that the program ffmpeg writes, where it is installed. */
const FOREIGN = spawnSync('ffmpeg', ['-version']).status === 0 ? (['jpeg sequence', 'avi'] as const) : [];
const madeFilms = new Map<string, Promise<FilmFile>>();

/** Writes a valid film in a random format. */
export function filmFile(random: Draw): Promise<FilmFile> {
  const format = random.pick(['png', 'png sequence', 'gif', 'webm', 'mp4', ...FOREIGN] as const);
  const n = random.whole(0, FILMS - 1);
  const key = `${format} ${n}`;
  if (!madeFilms.has(key)) madeFilms.set(key, make(format, n));
  return madeFilms.get(key)!;
}

async function make(format: FilmFormat, n: number): Promise<FilmFile> {
  const isImage = format === 'png' || format === 'png sequence';
  const channels = isImage ? ([1, 3, 4] as const)[n % 3] : 3;
  const size = { width: 16 + 2 * n, height: 12 };
  const film = disc({ ...size, channels, frameRate: 30 }, format === 'png' ? 1 : 4 + n);
  const about = `${frameCount(film)} frames of ${size.width} x ${size.height} x ${channels}`;
  if (isImage) {
    const options = { depth: n % 2 ? 16 : 8 } as const;
    const images = Array.from({ length: frameCount(film) }, (_, f) =>
      encodeFrames(cutFrames(film, { first: f, last: f }), 'png', options),
    );
    const sources = await Promise.all(images);
    const essential = Math.min(...sources.map(({ length }) => length));
    return { format, about, sources, essential, film, tolerance: 0.002, hasChecksums: true };
  }
  if (format === 'jpeg sequence' || format === 'avi')
    return { format, about, film, ...(await byFfmpeg(film, format, n)) };
  if (format === 'gif') {
    const bytes = await encodeFrames(film, 'gif');
    return {
      format,
      about,
      sources: [bytes],
      essential: bytes.length,
      film,
      tolerance: 0.03,
      hasChecksums: false,
    };
  }
  const webm = await encodeFrames(film, 'webm');
  const { bytes, counts } =
    format === 'webm' ? { bytes: webm, counts: undefined } : await remuxToMp4(webm, n % 2 === 1);
  // What compression leaves of it, so that a later reading must be the same.
  const kept = await readFrames(webm);
  const shown = format === 'mp4' ? withDisplayMatrix(bytes, kept, n) : kept;
  const of = { sources: [bytes], essential: bytes.length, film: shown, tolerance: 1e-6, hasChecksums: false };
  return { format, about, ...of, ...(counts && { counts }) };
}

/** Encodings of AVI: of Motion JPEG, of RGB as it is, of MPEG-4 with frames out of order. */
const AVI = [
  ['-c:v', 'mjpeg', '-q:v', '1', '-pix_fmt', 'yuvj444p'],
  ['-c:v', 'rawvideo', '-pix_fmt', 'bgr24'],
  ['-c:v', 'mpeg4', '-q:v', '1', '-bf', '2'],
] as const;

/** Writes a film by the program ffmpeg: as JPEG images, or as an AVI. */
async function byFfmpeg(film: Frames, format: 'jpeg sequence' | 'avi', n: number) {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-fuzz-films-'));
  try {
    for (let f = 0; f < frameCount(film); f++)
      writeFileSync(join(folder, `${f}.png`), await encodeFrames(cutFrames(film, { first: f, last: f }), 'png'));
    const options = format === 'avi' ? [...AVI[n % AVI.length], 'film.avi'] : ['-q:v', '1', '%03d.jpg'];
    const from = ['-v', 'error', '-framerate', '30', '-start_number', '0', '-i', '%d.png'];
    execFileSync('ffmpeg', [...from, ...options], { cwd: folder });
    const files = readdirSync(folder).filter((name) => /\.(?:jpg|avi)$/.test(name));
    const sources = files.sort().map((name) => new Uint8Array(readFileSync(join(folder, name))));
    const essential = Math.floor(Math.min(...sources.map(({ length }) => length)) / 2);
    return { sources, essential, tolerance: 0.08, hasChecksums: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Entries a, b, c, d of display matrices: a stored pixel (x, y) is shown at (a x + c y, b x + d y). */
const DISPLAYS = [
  [1, 0, 0, 1],
  [0, 1, -1, 0],
  [-1, 0, 0, 1],
  [0, -1, 1, 0],
  [-1, 0, 0, -1],
  [0, 1, 1, 0],
] as const;

/** Writes the nth display matrix into the track of an MP4, and returns its pictures as they are shown. */
function withDisplayMatrix(bytes: Uint8Array, film: Frames, n: number): Frames {
  const [a, b, c, d] = DISPLAYS[n];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = Buffer.from(bytes).indexOf('tkhd') + 4;
  const at = start + (view.getUint8(start) === 1 ? 52 : 40);
  for (const [offset, value] of [
    [0, a],
    [4, b],
    [12, c],
    [16, d],
  ] as const)
    view.setInt32(at + offset, 65_536 * value);
  const [width, height] = a !== 0 ? [film.width, film.height] : [film.height, film.width];
  const place = (x: number, y: number) => [a * x + c * y, b * x + d * y];
  const [left, top] = place(film.width - 1, film.height - 1).map((end) => Math.min(0, end));
  const { channels } = film;
  const data = new Float32Array(film.data.length);
  film.data.forEach((value, i) => {
    const pixel = Math.floor(i / channels);
    const [x, y] = place(pixel % film.width, Math.floor(pixel / film.width) % film.height);
    const frame = Math.floor(pixel / (width * height));
    data[channels * (frame * width * height + (y - top) * width + x - left) + (i % channels)] = value;
  });
  return { ...film, width, height, data };
}

/** Frames of a disc that moves over a colour gradient. */
function disc(shape: Omit<Frames, 'data'>, count: number): Frames {
  const film = createFrames(shape, count);
  const { channels, height, width } = shape;
  for (let i = 0; i < film.data.length; i++) {
    const [c, pixel] = [i % channels, Math.floor(i / channels)];
    const [x, y] = [pixel % width, Math.floor(pixel / width) % height];
    const f = Math.floor(pixel / (width * height));
    const inside = Math.hypot(x - (width * (f + 1)) / (count + 1), y - height / 2) < height / 4;
    // Few colours, so that a GIF keeps them.
    const value = inside ? [0.9, 0.2, 0.1, 1][c] : 0.25 + 0.5 * (x / width);
    film.data[i] = Math.round(value * 255) / 255;
  }
  return film;
}
