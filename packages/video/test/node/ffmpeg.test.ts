import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filmFiles, frameAt, frameCount, inspectFilm, readFrames } from '../../src/index.ts';
import { discFilm } from '../films.ts';
import { fakeFfmpeg, haveEnded, pidsIn, readsWith, saidBy } from '../support/fake-ffmpeg.ts';
import { h264, h264Missing } from '../support/videos.ts';

const folder = mkdtempSync(join(tmpdir(), 'gradsim-ffmpeg-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** Time limit of a test, ms: ample on a busy machine, since each takes a second or two. */
const LIMIT = 120_000;
/** Time limit for opening a film, s: an idle machine takes a twentieth of it. */
const TIMEOUT = 5;
const isWindows = process.platform === 'win32';
const write = (options: readonly string[], name: string): string => {
  const path = join(folder, name);
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...options, path]);
  return path;
};

describe.skipIf(h264Missing)('films that players show otherwise than they are stored', () => {
  const source = ['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=25:d=2', '-pix_fmt', 'yuv420p'];

  it(
    'are refused by name if they are interlaced',
    async () => {
      const path = write([...source, '-vf', 'interlace', '-flags', '+ildct+ilme', '-x264opts', 'tff=1'], 'fields.mp4');
      await expect(readFrames(path)).rejects.toThrowCode({ code: 'video/interlaced', values: ['top field first'] });
      expect(frameCount(await readFrames(write(source, 'whole.mp4')))).toBe(50);
    },
    LIMIT,
  );

  it(
    'have the frames of their edit list, and are refused with several parts',
    async () => {
      const path = write([...source, '-bf', '0'], 'edited.mp4');
      const bytes = new Uint8Array(readFileSync(path));
      const view = new DataView(bytes.buffer);
      const at = Buffer.from(bytes).indexOf('elst');
      expect(view.getUint32(at + 8)).toBe(1);
      // Shown to the middle of frame 30, of 50; the scale of the film is 1000 a second.
      view.setUint32(at + 12, 1220);
      writeFileSync(path, bytes);
      const film = await readFrames(path);
      expect([frameCount(film), (await inspectFilm(path)).frameCount]).toEqual([31, 31]);
      // At half the rate.
      view.setInt32(at + 20, 0x8000);
      await expect(inspectFilm(bytes)).rejects.toThrowCode('video/edit-list');
    },
    LIMIT,
  );
});

describe.skipIf(h264Missing)('a film with two video tracks', () => {
  let path: string;
  beforeAll(() => {
    // Same size, so that nothing but the pictures tells them apart: red for 2 s, blue for 3 s, at other rates.
    const source = (colour: string, rate: number, seconds: number): string[] => [
      ...['-f', 'lavfi', '-i', `color=${colour}:s=64x48:r=${rate}:d=${seconds}`],
    ];
    path = write(
      [...source('red', 10, 2), ...source('blue', 20, 3), '-map', '0', '-map', '1', '-pix_fmt', 'yuv420p'],
      'two.mp4',
    );
  });

  it.each([
    [1, 20, 10, 0],
    [2, 60, 20, 2],
  ])(
    'gives count, frame rate and colour of track %i, requested by option or by #track=',
    async (track, count, rate, channel) => {
      for (const [source, options] of [
        [path, { track }],
        [`${path}#track=${track}`, {}],
      ] as const) {
        const info = await inspectFilm(source, options);
        expect(info).toMatchObject({ frameCount: count, track: { number: track, of: 2 } });
        expect(info.frameRate).toBeCloseTo(rate, 6);
        const film = await readFrames(source, options);
        expect([frameCount(film), film.frameRate]).toEqual([count, expect.closeTo(rate, 6)]);
        for (const frame of [0, count - 1]) {
          const [r, g, b] = frameAt(film, frame);
          expect([r, g, b].map(Math.round)).toEqual([0, 1, 2].map((c) => (c === channel ? 1 : 0)));
        }
      }
    },
    LIMIT,
  );

  it(
    'reads one track throughout if none is requested, and reports which',
    async () => {
      const { track, frameCount: count } = await inspectFilm(path);
      const film = await readFrames(path);
      expect(frameCount(film)).toBe(count);
      expect(Math.round(frameAt(film, 0)[0])).toBe(track!.number === 1 ? 1 : 0);
    },
    LIMIT,
  );

  it(
    'refuses track numbers that it does not have',
    async () => {
      await expect(inspectFilm(path, { track: 3 })).rejects.toThrowCode({
        code: 'video/no-such-track',
        field: path,
        values: [3, '2 video tracks'],
      });
      await expect(readFrames(`${path}#track=0`)).rejects.toThrowCode({ code: 'video/no-such-track', values: [0, 1] });
      await expect(readFrames(path, { track: 1.5 })).rejects.toThrowCode({
        code: 'video/no-such-track',
        values: [1.5],
      });
      expect(await filmFiles(`${path}#track=2`)).toEqual([path]);
    },
    LIMIT,
  );
});

it.skipIf(h264Missing)(
  'an hour of film, 3600 frames, is read up to its last frame',
  async () => {
    const path = write(
      ['-f', 'lavfi', '-i', 'testsrc=s=32x24:r=1:d=3600', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-g', '4000'],
      'hour.mp4',
    );
    expect((await inspectFilm(path)).frameCount).toBe(3600);
    const film = await readFrames(path, { every: 400, channels: 1 });
    expect(frameCount(film)).toBe(9);
    const last = await readFrames(path, { first: 3599, last: 3599, channels: 1 });
    const [a, b] = [frameAt(film, 0), frameAt(last, 0)];
    expect(a.some((value, k) => Math.abs(value - b[k]) > 0.1)).toBe(true);
  },
  LIMIT,
);

describe.skipIf(isWindows)('a path that is not a file', () => {
  it('is refused: a device, a pipe, and a pipe in a folder of images', async () => {
    await expect(readFrames('/dev/zero')).rejects.toThrowCode({
      code: 'video/not-a-file',
      values: ['/dev/zero', 'a device'],
    });
    const pipe = join(folder, 'pipe.mp4');
    execFileSync('mkfifo', [pipe]);
    await expect(readFrames(pipe)).rejects.toThrowCode({ code: 'video/not-a-file', values: ['pipe.mp4', 'a pipe'] });
    await expect(inspectFilm(pipe)).rejects.toThrowCode({ code: 'video/not-a-file', values: ['a pipe'] });
    const images = mkdtempSync(join(folder, 'images-'));
    execFileSync('mkfifo', [join(images, '1.png')]);
    await expect(filmFiles(images)).rejects.toThrowCode({ code: 'video/not-a-file', values: [1, 'a pipe'] });
  });
});

describe.skipIf(isWindows || h264Missing).concurrent('an ffmpeg that misbehaves', () => {
  let film: string;
  beforeAll(() => {
    film = join(folder, 'film.mp4');
    writeFileSync(film, h264(discFilm(64, 48, 12, 25)));
  });
  let count = 0;
  const fake = (source: string): string => {
    const own = join(folder, `fake-${count++}`);
    fakeFfmpeg(own, source);
    return own;
  };
  const version = 'if (isVersion) process.exit(0);';

  const faults: readonly (readonly [string, string, RegExp])[] = [
    [
      'hangs when it is asked for its version',
      'forks(); stays();',
      /The program ffmpeg .* cannot be used: it has not answered `ffmpeg -version` within 5 s\. The film is not to blame/,
    ],
    [
      'fails when it is asked for its version',
      'process.exit(7);',
      /asked by `ffmpeg -version`, it ended with the code 7/,
    ],
    [
      'floods when it is asked for its version',
      "const flood = () => process.stdout.write('y'.repeat(65536), flood); forks(); flood();",
      /has not answered/,
    ],
    [
      'gives pictures of another size',
      `${version} forks(); process.stdout.write(header(100000, 100000)); stays();`,
      /its pictures are 100000 x 100000 pixels, and those of the film 64 x 48\. That is the program's fault/,
    ],
    [
      'floods its output',
      `${version} forks(); const flood = () => process.stdout.write('\\x1b]0;title\\x07'.repeat(9999), flood); flood();`,
      /film\.mp4 cannot be decoded by the program ffmpeg of this machine: its pictures have no headers/,
    ],
    [
      'floods its messages',
      `${version} forks(); const flood = () => process.stderr.write('\\x1b[2J noise\\n'.repeat(9999), flood); flood();`,
      /frame 0 of 12 did not come within 5 s, .*The program ffmpeg hangs/,
    ],
    [
      'gives more pictures than it was asked for',
      `${version} forks(); process.stdout.write(header(64, 48)); const more = () => process.stdout.write(picture(64, 48), more); more();`,
      /it gives more than the 12 pictures/,
    ],
    [
      'gives too few',
      `${version} process.stdout.write(header(64, 48)); process.stdout.write(picture(64, 48));`,
      /frame 1 of 12 cannot be decoded: the program ffmpeg ended without a picture of it/,
    ],
    [
      'crashes',
      `${version} process.kill(process.pid, 'SIGSEGV');`,
      /it was ended by SIGSEGV\. It says nothing of damage\. That is the program's fault/,
    ],
    [
      'complains with control characters',
      `${version} process.stderr.write('[error] bad \\x1b[31m\\x07thing\\u202e\\n'); process.exit(1);`,
      /frame 0 of 12 cannot be decoded: ffmpeg says: bad +\[31m +thing\. The file is cut short/,
    ],
    [
      'hangs after the last picture, with a child',
      `${version} forks(); process.stdout.write(header(64, 48)); for (let k = 0; k < 12; k++) process.stdout.write(picture(64, 48)); stays();`,
      /did not come within 5 s/,
    ],
    [
      'says that it goes on, for ever',
      `${version} let n = 0; forks(); setInterval(() => shown(n++), 10);`,
      /frame 0 of 12 did not come within 5 s/,
    ],
  ];
  it.each(faults)(
    'is reported as the cause when it %s, and its child processes end',
    async (_, source, message) => {
      const own = fake(source);
      const said = await saidBy(await readsWith(own, film, TIMEOUT));
      expect(said).toMatch(message);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is not to be there.
      expect(said.trim()).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
      if (source.includes('forks')) expect(await haveEnded(await pidsIn(own))).toBe(true);
    },
    LIMIT,
  );

  it(
    'is waited for beyond its time limit while it makes progress',
    async () => {
      const own = fake(
        `${version} let n = 0; const timer = setInterval(() => { shown(n++); if (n < 12) return; clearInterval(timer);
      process.stdout.write(header(64, 48)); for (let k = 0; k < 12; k++) process.stdout.write(picture(64, 48)); }, 600);`,
      );
      // All pictures come after 7 s; there is a sign of life each 0.6 s.
      expect(await saidBy(await readsWith(own, film, TIMEOUT))).toMatch(/^read: 0\.\d\d 110592/);
    },
    LIMIT,
  );

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL', 'throw'])(
    'ends with its children when the program that reads ends by %s',
    async (way) => {
      const own = fake(`${version} forks(); stays();`);
      const reading = await readsWith(own, film, 600, way);
      const closed = once(reading, 'exit');
      const pids = await pidsIn(own);
      if (way !== 'throw') reading.kill(way as NodeJS.Signals);
      const [code, signal] = await closed;
      expect([code, signal]).toEqual(way === 'throw' ? [1, null] : [null, way]);
      expect(await haveEnded(pids)).toBe(true);
    },
    LIMIT,
  );

  it(
    'ends when the program that reads is killed while it asks for the version',
    async () => {
      const own = fake(`forks(); stays();`);
      const reading = await readsWith(own, film, 600);
      const pids = await pidsIn(own);
      reading.kill('SIGKILL');
      expect(await haveEnded(pids)).toBe(true);
    },
    LIMIT,
  );
});
