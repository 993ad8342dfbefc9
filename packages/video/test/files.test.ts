import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import {
  cameraShifts,
  coverageMasks,
  createFrames,
  cropFrames,
  cutFrames,
  encodeFrames,
  type Frames,
  filmFiles,
  frameCount,
  inspectFilm,
  readFrames,
  requireFrames,
  toLinear,
  writeFrames,
} from '../src/index.ts';
import { discFilm, eightBit, filmOf, rootMeanSquare, worstDifference } from './films.ts';
import { h264, h264Missing, vp9InMp4 } from './support/videos.ts';

const film = discFilm(32, 24, 12);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gradsim-video-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('a file is that file, whatever is in its name', async () => {
  const bytes = await encodeFrames(cutFrames(film, { first: 0, last: 0 }), 'png');
  for (const name of ['ball%20drop.png', 'ball#track=2.png', '1.png', '11.png', 'f%02d.png']) {
    const path = join(folder, name);
    await writeFile(path, bytes);
    expect(await filmFiles(path)).toEqual([path]);
    expect((await inspectFilm(path)).frameCount).toBe(1);
  }
});

describe('PNG', () => {
  it('sequences keep 8-bit values exactly, in the order of their numbers', async () => {
    await writeFrames(join(folder, 'seq', 'f%d.png'), film);
    expect(await readdir(join(folder, 'seq'))).toContain('f11.png');
    for (const source of [join(folder, 'seq'), join(folder, 'seq', 'f%d.png')]) {
      const again = await readFrames(source, { frameRate: 30 });
      expect(worstDifference(again, film)).toBe(0);
    }
  });

  it.each([1, 3, 4] as const)('of %i channels and 16 bits keep values to 1/131070', async (channels) => {
    const smooth = filmOf({ width: 5, height: 4, channels, frameRate: 1 }, 1, (x, y, c) => (x + 5 * y + c / 4) / 21);
    const bytes = await encodeFrames(smooth, 'png', { depth: 16 });
    const again = await readFrames(bytes, { channels, frameRate: 1 });
    // Luminance of a grey pixel is its value, to rounding.
    expect(worstDifference(again, smooth)).toBeLessThan(0.5 / 65535 + 1e-6);
  });

  it('are converted to linear light by the sRGB curve if linear values are requested', async () => {
    const bytes = await encodeFrames(cutFrames(film, { last: 0 }), 'png');
    const light = await readFrames([bytes], { values: 'linear', frameRate: 30 });
    expect(worstDifference(light, toLinear(cutFrames(film, { last: 0 }), 'srgb'))).toBeLessThan(1e-6);
  });

  it('refuse gaps in the numbers, another size, a missing rate, and damage', async () => {
    const images = join(folder, 'gap');
    await mkdir(images);
    const bytes = await encodeFrames(cutFrames(film, { last: 0 }), 'png');
    await writeFile(join(images, '01.png'), bytes);
    await writeFile(join(images, '03.png'), bytes);
    await expect(readFrames(join(images, '%02d.png'))).rejects.toThrowCode({
      code: 'video/not-a-sequence',
      values: [2, 3],
    });
    await expect(readFrames([bytes, bytes])).rejects.toThrowCode('video/frame-rate-missing');
    const small = await encodeFrames(createFrames({ ...film, width: 8 }, 1), 'png');
    await expect(readFrames([bytes, small], { frameRate: 1 })).rejects.toThrowCode({
      code: 'video/other-shape',
      values: [1, 8, 24, 32],
    });
    const damaged = bytes.slice();
    damaged[60] ^= 255;
    await expect(readFrames(damaged, { frameRate: 1 })).rejects.toThrowCode({
      code: 'video/file-damaged',
      values: ['PNG'],
    });
    await expect(readFrames(bytes.subarray(0, 90), { frameRate: 1 })).rejects.toThrowCode({
      code: 'video/file-damaged',
      values: ['PNG'],
    });
  });
});

describe('GIF', () => {
  const few = filmOf({ width: 19, height: 11, channels: 3, frameRate: 30 }, 9, (x, y, c, f) =>
    eightBit(((x * 7 + y * 3 + f * 5) % 16) / 15 / (c + 1)),
  );

  it('keeps frames of at most 256 colours exactly, and the mean frame rate', async () => {
    const path = join(folder, 'few.gif');
    await writeFrames(path, few);
    const info = await inspectFilm(path);
    expect(info).toMatchObject({ format: 'gif', width: 19, height: 11, frameCount: 9 });
    expect(info.frameRate).toBeCloseTo(30, 6);
    expect(worstDifference(await readFrames(path), few)).toBe(0);
  });

  it('approximates frames with more colours, with an error of at most 0.02 (root mean square)', async () => {
    const bytes = await encodeFrames(film, 'gif');
    expect(rootMeanSquare(await readFrames(bytes), film)).toBeLessThan(0.02);
  });

  it('refuses more than 100 frames a second, and truncated files', async () => {
    await expect(encodeFrames({ ...few, frameRate: 240 }, 'gif')).rejects.toThrowCode({
      code: 'video/frame-rate',
      values: [100, 240],
    });
    const bytes = await encodeFrames(few, 'gif');
    await expect(readFrames(bytes.subarray(0, 700))).rejects.toThrowCode('video/file-damaged');
  });
});

/** Kinds of video file: how this test encodes them, and why it cannot, if so. */
const kinds = [
  ['VP9 in webm', 'webm', (film: Frames) => encodeFrames(film, 'webm'), undefined],
  ['VP9 in mp4', 'mp4', vp9InMp4, undefined],
  ['H.264 in mp4', 'mp4', async (film: Frames) => h264(film), h264Missing],
] as const;

describe.each(kinds)('%s', (what, format, encode, missing) => {
  const it = test.skipIf(missing !== undefined);
  const large = discFilm(64, 48, 20, 25);

  it('keeps pictures to 0.03 (root mean square), their number and order, and the frame rate to 0.05 frames/s', async () => {
    const path = join(folder, `${what}.${format}`);
    await writeFile(path, await encode(large));
    expect(await inspectFilm(path)).toMatchObject({
      format,
      width: 64,
      height: 48,
      rotation: 0,
      frameCount: 20,
    });
    const again = await readFrames(path);
    expect(again.frameRate).toBeCloseTo(25, 1);
    // Colours have half the resolution, which shows at the edge of the disc.
    expect(rootMeanSquare(again, large)).toBeLessThan(0.03);
    const drift = Array.from({ length: 20 }, (_, f) => nearestFrame(again, f, large));
    expect(drift).toEqual(Array.from({ length: 20 }, (_, f) => f));
  });

  it('has the same pixels in a cropped frame range read alone as in the whole film', async () => {
    const bytes = await encode(large);
    const whole = await readFrames(bytes);
    const region = { x: 10, y: 6, width: 30, height: 20 };
    const part = await readFrames(bytes, { first: 7, last: 15, every: 4, crop: region });
    expect(part.frameRate).toBeCloseTo(25 / 4, 1);
    expect(worstDifference(part, cropFrames(cutFrames(whole, { first: 7, last: 15, every: 4 }), region))).toBe(0);
  });

  it('refuses to write odd sizes, and to read frames beyond the end and truncated files', async () => {
    await expect(encodeFrames(discFilm(33, 24, 2), format)).rejects.toThrowCode({
      code: 'video/odd-size',
      values: [33, 24],
    });
    const bytes = await encode(large);
    await expect(readFrames(bytes, { last: 20 })).rejects.toThrowCode({
      code: 'video/no-such-frame',
      values: [20, 19],
    });
    await expect(readFrames(bytes.subarray(0, 400))).rejects.toThrowCode('video/file-cut-short');
    await expect(readFrames(bytes.subarray(0, Math.floor(bytes.length * 0.6)))).rejects.toThrowCode(
      'video/file-cut-short',
    );
  });
});

/** Returns the number of the frame of `among` most similar to frame `f` of the film. */
function nearestFrame(some: Frames, f: number, among: Frames): number {
  const one = cutFrames(some, { first: f, last: f });
  const errors = Array.from({ length: frameCount(among) }, (_, g) =>
    rootMeanSquare(one, cutFrames(among, { first: g, last: g })),
  );
  return errors.indexOf(Math.min(...errors));
}

describe('a WebM of several clusters', () => {
  it('is refused when its last fifth is missing, also if it does not state its size', async () => {
    const bytes = await encodeFrames(discFilm(32, 24, 150, 25), 'webm');
    const part = bytes.slice(0, Math.floor(bytes.length * 0.8));
    await expect(inspectFilm(part)).rejects.toThrowCode({
      code: 'video/file-cut-short',
      values: [bytes.length, part.length],
    });
    // As cameras and browsers record it, without a size.
    const segment = Buffer.from(part).indexOf(Uint8Array.of(0x18, 0x53, 0x80, 0x67)) + 4;
    const length = Math.clz32(part[segment]) - 23;
    part[segment] |= 2 ** (8 - length) - 1;
    part.fill(0xff, segment + 1, segment + length);
    await expect(inspectFilm(part)).rejects.toThrowCode({
      code: 'video/file-cut-short',
      values: ['6.00', /[1-4]\.\d\d/],
    });
  });
});

describe('files that are no films', () => {
  it.each([
    ['text', new TextEncoder().encode('hello, this is text'), { code: 'video/unknown-format', values: [68, 65] }],
    ['nothing', new Uint8Array(), { code: 'video/file-empty', values: [0] }],
    [
      'the first bytes of an MP4',
      Uint8Array.of(0, 0, 0, 24, 102, 116, 121, 112, 109, 112, 52, 50),
      'video/file-cut-short',
    ],
  ])('%s is refused', async (_, bytes, expected) => {
    await expect(readFrames(bytes)).rejects.toThrowCode(expected);
  });

  it('a missing file and an empty folder are refused', async () => {
    await expect(readFrames(join(folder, 'none.mp4'))).rejects.toThrowCode({
      code: 'video/no-file',
      values: ['none.mp4'],
    });
    await mkdir(join(folder, 'empty'));
    await expect(readFrames(join(folder, 'empty'))).rejects.toThrowCode({
      code: 'video/nothing-in-film',
      values: ['PNG'],
    });
  });
});

describe('images that declare an impossible size', () => {
  it('are refused: a GIF of 65535 and a PNG of 60000 pixels a side', async () => {
    const gif = (await encodeFrames(film, 'gif')).slice();
    gif.fill(0xff, 6, 10);
    await expect(readFrames(gif)).rejects.toThrowCode({ code: 'video/too-large', values: [65535, 100000000, 'GIF'] });
    const png = (await encodeFrames(cutFrames(film, { last: 0 }), 'png')).slice();
    new DataView(png.buffer, png.byteOffset).setUint32(16, 60000);
    new DataView(png.buffer, png.byteOffset).setUint32(20, 60000);
    await expect(readFrames(png, { frameRate: 1 })).rejects.toThrowCode({
      code: 'video/file-damaged',
      values: [60000, 'PNG'],
    });
  });

  it('an animated PNG is refused instead of being read as its first image', async () => {
    const png = await encodeFrames(cutFrames(film, { last: 0 }), 'png');
    const control = Uint8Array.of(0, 0, 0, 8, ...new TextEncoder().encode('acTL'), 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0);
    const animated = new Uint8Array([...png.subarray(0, 33), ...control, ...png.subarray(33)]);
    await expect(readFrames(animated, { frameRate: 1 })).rejects.toThrowCode({
      code: 'video/animated-png',
    });
  });
});

describe('folders of images that are not one sequence are refused', () => {
  it.each([
    [
      'a number is missing',
      [1, 2, 3, 5, 6].map((n) => `frame-${n}.png`),
      { code: 'video/not-a-sequence', values: [4, 5] },
    ],
    ['a number is there twice', ['f1.png', 'f01.png', 'f2.png'], 'video/not-a-sequence'],
    [
      'two sequences',
      ['image1.png', 'image2.png', 'mask1.png'],
      { code: 'video/not-a-sequence', values: ['image1.png'] },
    ],
    ['names without numbers', ['first.png', 'second.png'], 'video/not-a-sequence'],
  ])('%s', async (what, names, expected) => {
    const images = join(folder, what);
    await mkdir(images);
    const bytes = await encodeFrames(cutFrames(film, { last: 0 }), 'png');
    for (const name of names) await writeFile(join(images, name), bytes);
    await expect(readFrames(images, { frameRate: 30 })).rejects.toThrowCode(expected);
    await expect(filmFiles(images)).rejects.toThrowCode(expected);
  });

  it('but a complete sequence is read in order, whatever else its names contain', async () => {
    const images = join(folder, 'take 2 of 10');
    await mkdir(images);
    for (let f = 0; f < 12; f++)
      await writeFile(
        join(images, `take2-${f}_v2.png`),
        await encodeFrames(cutFrames(film, { first: f, last: f }), 'png'),
      );
    expect(worstDifference(await readFrames(images, { frameRate: 30 }), film)).toBe(0);
    expect((await filmFiles(images)).at(-1)).toBe(join(images, 'take2-11_v2.png'));
  });
});

describe('a misspelt option or invalid value is refused', () => {
  const typo = <T>(options: object): T => options as T;
  it.each([
    [
      () => readFrames('a.gif', typo({ frist: 3 })),
      { code: 'base/unknown-option', values: ['"frist"', '"first"', 'readFrames'] },
    ],
    [
      () => readFrames('a.gif', typo({ values: 'lnear' })),
      { code: 'video/unknown-choice', field: 'values', values: ['"lnear"'] },
    ],
    [
      () => inspectFilm('a.gif', typo({ first: 3 })),
      { code: 'base/unknown-option', values: ['"first"', 'inspectFilm'] },
    ],
    [
      () => writeFrames('a.gif', film, typo({ overwite: true })),
      { code: 'base/unknown-option', values: ['"overwite"', 'writeFrames'] },
    ],
    [
      () => writeFrames('a%d.png', film, typo({ depth: 12 })),
      { code: 'video/option-out-of-range', field: 'depth', values: [12, 8, 16, 'PNG'] },
    ],
    [
      () => encodeFrames(film, 'webm', { quantizer: 70 }),
      { code: 'video/option-out-of-range', field: 'quantizer', values: [70, 63] },
    ],
    [
      async () => cutFrames(film, typo({ frist: 3 })),
      { code: 'base/unknown-option', values: ['"frist"', 'cutFrames'] },
    ],
    [
      async () => cameraShifts(film, typo({ referense: 3 })),
      { code: 'base/unknown-option', values: ['"referense"', 'cameraShifts'] },
    ],
    [
      async () => coverageMasks(film, film, [1, 1, 1], typo({ tolerence: 3 })),
      { code: 'base/unknown-option', values: ['"tolerence"', 'coverageMasks'] },
    ],
    [
      async () => requireFrames(film, typo({ counts: 3 })),
      { code: 'base/unknown-option', values: ['"counts"', 'requireFrames'] },
    ],
  ])('case %#', async (call, expected) => {
    await expect(call()).rejects.toThrowCode(expected);
  });
});

describe('writeFrames', () => {
  it('replaces a file only with overwrite: true, and leaves no other file', async () => {
    const path = join(folder, 'own', 'a.gif');
    await writeFrames(path, film);
    const before = await readFile(path);
    await expect(writeFrames(path, cutFrames(film, { last: 2 }))).rejects.toThrowCode('video/file-exists');
    expect(await readFile(path)).toEqual(before);
    await writeFrames(path, cutFrames(film, { last: 2 }), { overwrite: true });
    expect((await inspectFilm(path)).frameCount).toBe(3);
    expect(await readdir(join(folder, 'own'))).toEqual(['a.gif']);
  });

  it('writes nothing for values that are not finite, or an unknown ending', async () => {
    const broken = cutFrames(film, {});
    broken.data[3] = Number.POSITIVE_INFINITY;
    await expect(writeFrames(join(folder, 'bad', 'a.png'), broken)).rejects.toThrowCode({
      code: 'video/value-out-of-range',
      values: [0, 1],
    });
    await expect(writeFrames(join(folder, 'bad', 'a.avi'), film)).rejects.toThrowCode({
      code: 'video/unknown-format',
      values: ['a.avi'],
    });
    expect(await readdir(folder)).not.toContain('bad');
  });
});
