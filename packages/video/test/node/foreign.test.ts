import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Frames, frameCount, inspectFilm, readFrames } from '../../src/index.ts';
import { readsWith, saidBy } from '../support/fake-ffmpeg.ts';
import { h264Missing } from '../support/videos.ts';

const folder = mkdtempSync(join(tmpdir(), 'gradsim-foreign-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const LIMIT = 120_000;
const write = (options: readonly string[], name: string): string => {
  const path = join(folder, name);
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...options, path]);
  return path;
};
const SOURCE = ['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=25:d=1'];
// Grey: how colours are interpolated at edges differs between programs.
const GREY = ['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=25:d=1,hue=s=0'];
const PLAIN = [...GREY, '-pix_fmt', 'yuv420p'];

/** Mean difference from the pictures that ffmpeg itself makes of a film. */
function meanDifference(film: Frames, path: string, filters: readonly string[] = []): number {
  const options = ['-v', 'error', '-i', path, ...filters, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'];
  const players = execFileSync('ffmpeg', options, { maxBuffer: 1e8 });
  expect(players).toHaveLength(film.data.length);
  return film.data.reduce((sum, x, i) => sum + Math.abs(x - players[i] / 255), 0) / film.data.length;
}

describe.skipIf(h264Missing)('films that only the program ffmpeg opens', () => {
  const formats = [
    ['motion.avi', ['-c:v', 'mjpeg', '-q:v', '2'], 'avi', 'mjpeg', 25],
    ['plain.avi', ['-c:v', 'rawvideo'], 'avi', 'rawvideo', 25],
    ['backward.avi', ['-c:v', 'mpeg4', '-q:v', '2', '-bf', '2'], 'avi', 'mpeg4', 25],
    ['motion.mov', ['-c:v', 'mjpeg', '-q:v', '2'], 'mov', 'mjpeg', 25],
    ['motion.mkv', ['-c:v', 'mjpeg', '-q:v', '2'], 'mkv', 'mjpeg', 25],
    ['windows.wmv', ['-c:v', 'wmv2', '-q:v', '2'], 'asf', 'wmv2', 25],
    ['flash.flv', ['-c:v', 'flv', '-q:v', '2'], 'flv', 'flv1', 25],
    ['camera.mts', ['-c:v', 'libx264', '-f', 'mpegts', '-mpegts_m2ts_mode', '1'], 'mpeg-ts', 'h264', 25],
    ['old.mpg', ['-c:v', 'mpeg2video', '-q:v', '2', '-bf', '2'], 'mpeg-ps', 'mpeg2video', 25],
  ] as const;
  it.each(formats)(
    'are read with all their frames and times: %s',
    async (name, options, format, codec, rate) => {
      const path = write([...PLAIN, ...options], name);
      for (const source of [path, new Uint8Array(readFileSync(path))]) {
        const info = await inspectFilm(source);
        expect([info.format, info.codec, info.width, info.height, info.frameCount]).toEqual([
          format,
          codec,
          64,
          48,
          25,
        ]);
        expect(Math.abs(info.frameRate! - rate)).toBeLessThan(1e-9);
      }
      const film = await readFrames(path);
      expect(frameCount(film)).toBe(25);
      expect(meanDifference(film, path)).toBeLessThan(0.01);
      const part = await readFrames(path, { first: 7, last: 9 });
      const length = 64 * 48 * 3;
      expect(part.data).toEqual(film.data.subarray(7 * length, 10 * length));
    },
    LIMIT,
  );

  it.each([
    ['bgr24', 'rawvideo'],
    ['yuyv422', 'rawvideo'],
    ['gray', 'rawvideo'],
    ['pal8', 'rawvideo'],
    ['rgb555le', 'rawvideo'],
    ['rgb24', 'png'],
  ] as const)(
    'are read with pixels in %s (%s)',
    async (pixels, codec) => {
      const path = write([...GREY, '-pix_fmt', pixels, '-c:v', codec], `${pixels}.avi`);
      const film = await readFrames(path);
      expect(frameCount(film)).toBe(25);
      expect(meanDifference(film, path)).toBeLessThan(0.02);
    },
    LIMIT,
  );

  it(
    'have the colours of Motion JPEG where JPEG images have them',
    async () => {
      const path = write([...SOURCE, '-pix_fmt', 'yuvj420p', '-c:v', 'mjpeg', '-q:v', '1'], 'colours.avi');
      const image = join(folder, 'colours.jpg');
      execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', path, '-c:v', 'copy', '-frames:v', '1', image]);
      const [film, still] = [await readFrames(path, { last: 0 }), await readFrames(image, { frameRate: 25 })];
      // As far from the image moved to the left as from the one moved to the right: half a pixel off makes it 1.6 times.
      const apart = (shift: number): number =>
        film.data.reduce((sum, x, i) => sum + Math.abs(x - (still.data[i + 3 * shift] ?? x)), 0);
      expect(Math.abs(Math.log(apart(1) / apart(-1)))).toBeLessThan(0.1);
    },
    LIMIT,
  );

  it(
    'have the times of their frames where those are uneven',
    async () => {
      const path = write(
        [...PLAIN, '-vf', "select='not(between(n,10,13))'", '-fps_mode', 'vfr', '-c:v', 'mjpeg'],
        'gap.avi',
      );
      const { times, frameCount: count } = await inspectFilm(path);
      expect(count).toBe(21);
      expect(times![10] - times![9]).toBeCloseTo(0.2, 9);
    },
    LIMIT,
  );

  it(
    'are refused by name if they are cut short, interlaced, or no film',
    async () => {
      const path = write([...PLAIN, '-vf', 'interlace', '-c:v', 'mpeg2video', '-flags', '+ildct+ilme'], 'fields.mpg');
      await expect(inspectFilm(path)).rejects.toThrowCode('video/interlaced');
      const whole = readFileSync(write([...PLAIN, '-c:v', 'mjpeg'], 'whole.avi'));
      const cut = join(folder, 'cut.avi');
      writeFileSync(cut, whole.subarray(0, 0.6 * whole.length));
      await expect(readFrames(cut)).rejects.toThrowCode({ code: 'video/file-damaged', values: ['cut.avi'] });
      writeFileSync(cut, `RIFF\0\0\0\0AVI LIST${'\0'.repeat(300)}`);
      await expect(inspectFilm(cut)).rejects.toThrowCode({ code: 'video/file-damaged', values: ['cut.avi'] });
    },
    LIMIT,
  );
});

it(
  'are refused where there is no ffmpeg, with what to install',
  async () => {
    const nowhere = join(folder, 'nowhere');
    mkdirSync(nowhere);
    writeFileSync(join(folder, 'some.avi'), `RIFF\0\0\0\0AVI LIST${'\0'.repeat(300)}`);
    const said = await saidBy(await readsWith(nowhere, join(folder, 'some.avi'), 20));
    expect(said).toMatch(
      /some\.avi is a film in AVI, which the program ffmpeg reads, and there is none here\. Install /,
    );
  },
  LIMIT,
);

describe.skipIf(h264Missing)('films of pixels that are not square', () => {
  it(
    'are refused with their shape, where only the stream states it too',
    async () => {
      const oblong = [...PLAIN, '-vf', 'scale=720:576,setsar=16/15', '-c:v', 'libx264'];
      await expect(inspectFilm(write(oblong, 'oblong.mp4'))).rejects.toThrowCode({
        code: 'video/format-not-supported',
        values: ['16:15'],
      });
      const bytes = readFileSync(join(folder, 'oblong.mp4'));
      bytes.write('free', bytes.indexOf('pasp'));
      const path = join(folder, 'stream.mp4');
      writeFileSync(path, bytes);
      await expect(readFrames(path)).rejects.toThrowCode({ code: 'video/format-not-supported', values: ['16:15'] });
      const squared = write(['-i', path, '-vf', 'scale=iw*sar:ih,setsar=1', '-c:v', 'libx264'], 'square.mp4');
      expect((await inspectFilm(squared)).width).toBe(768);
      await expect(
        inspectFilm(write([...PLAIN, '-vf', 'setsar=16/15', '-c:v', 'mpeg4'], 'oblong.avi')),
      ).rejects.toThrowCode('video/format-not-supported');
    },
    LIMIT,
  );
});

describe.skipIf(h264Missing)('films of high dynamic range', () => {
  it.each([
    ['hlg', 'arib-std-b67'],
    ['pq', 'smpte2084'],
  ])(
    'are refused with a command that makes one that is read: %s',
    async (tag, transfer) => {
      const colour = ['-color_primaries', 'bt2020', '-color_trc', transfer, '-colorspace', 'bt2020nc'];
      const encoder = ['-c:v', 'libx265', '-x265-params', 'log-level=none', '-tag:v', 'hvc1'];
      const path = write([...SOURCE, '-pix_fmt', 'yuv420p10le', ...encoder, ...colour], `${tag}.mp4`);
      const error = await inspectFilm(path).then(
        () => undefined,
        (refusal) => refusal,
      );
      expect(error.message).toContain(`(${tag})`);
      const [, filters] = /-vf '([^']*)'/.exec(error.message)!;
      const mapped = await readFrames(write(['-i', path, '-vf', filters, '-c:v', 'libx264'], `${tag}-standard.mp4`));
      expect(frameCount(mapped)).toBe(25);
    },
    LIMIT,
  );
});

describe.skipIf(h264Missing)('JPEG', () => {
  it(
    'images and folders of them are read, in the order of their numbers, as they are shown',
    async () => {
      const images = join(folder, 'jpegs');
      mkdirSync(images);
      write([...SOURCE, '-pix_fmt', 'yuvj444p', '-q:v', '1', '-start_number', '1'], 'jpegs/%d.jpg');
      const film = await readFrames(images, { frameRate: 25 });
      expect([film.width, film.height, frameCount(film)]).toEqual([64, 48, 25]);
      expect(meanDifference(film, join(images, '%d.jpg'))).toBeLessThan(0.01);
      const one = join(images, '11.jpg');
      expect((await inspectFilm(one)).format).toBe('jpeg');
      const stored = await readFrames(one, { frameRate: 1 });
      expect(stored.data).toEqual(film.data.subarray(10 * 64 * 48 * 3, 11 * 64 * 48 * 3));
      // Exif of a phone held upright: turned clockwise by 90 degrees.
      const exif = Buffer.from(
        'ffe100224578696600004d4d002a0000000800010112000300000001000600000000000000000000'.slice(0, 72),
        'hex',
      );
      const bytes = readFileSync(one);
      const tagged = Buffer.concat([bytes.subarray(0, 2), exif, bytes.subarray(2)]);
      const shown = await readFrames(new Uint8Array(tagged), { frameRate: 1 });
      expect([shown.width, shown.height]).toEqual([48, 64]);
      const at = (frames: Frames, x: number, y: number) => [
        ...frames.data.subarray(3 * (y * frames.width + x)).subarray(0, 3),
      ];
      for (const [x, y] of [
        [0, 0],
        [47, 10],
        [20, 63],
      ])
        expect(at(shown, x, y)).toEqual(at(stored, y, 47 - x));
      writeFileSync(join(images, 'cut.jpg'), bytes.subarray(0, 200));
      await expect(readFrames(join(images, 'cut.jpg'), { frameRate: 1 })).rejects.toThrowCode('video/file-damaged');
    },
    LIMIT,
  );
});
