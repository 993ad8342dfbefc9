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

  it('are read as linear light by the sRGB curve', async () => {
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
    await expect(readFrames(join(images, '%02d.png'))).rejects.toThrow(/number 2 is missing before 3/);
    await expect(readFrames([bytes, bytes])).rejects.toThrow(/does not say its frame rate/);
    const small = await encodeFrames(createFrames({ ...film, width: 8 }, 1), 'png');
    await expect(readFrames([bytes, small], { frameRate: 1 })).rejects.toThrow(/\(frame 1\) is 8 x 24 .* 32 x 24/);
    const damaged = bytes.slice();
    damaged[60] ^= 255;
    await expect(readFrames(damaged, { frameRate: 1 })).rejects.toThrow(/cannot be read as a PNG/);
    await expect(readFrames(bytes.subarray(0, 90), { frameRate: 1 })).rejects.toThrow(/cannot be read as a PNG/);
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

  it('approximates frames with more colours', async () => {
    const bytes = await encodeFrames(film, 'gif');
    expect(rootMeanSquare(await readFrames(bytes), film)).toBeLessThan(0.02);
  });

  it('refuses more than 100 frames a second, and truncated files', async () => {
    await expect(encodeFrames({ ...few, frameRate: 240 }, 'gif')).rejects.toThrow(
      /at most 100 frames a second, not 240/,
    );
    const bytes = await encodeFrames(few, 'gif');
    await expect(readFrames(bytes.subarray(0, 700))).rejects.toThrow(/cut short/);
  });
});

/** Films in containers: how they are made here, and why not. */
const kinds = [
  ['VP9 in webm', 'webm', (film: Frames) => encodeFrames(film, 'webm'), undefined],
  ['VP9 in mp4', 'mp4', vp9InMp4, undefined],
  ['H.264 in mp4', 'mp4', async (film: Frames) => h264(film), h264Missing],
] as const;

describe.each(kinds)('%s', (what, format, encode, missing) => {
  const it = test.skipIf(missing !== undefined);
  const large = discFilm(64, 48, 20, 25);

  it('round trip keeps pictures approximately, and their number, order and frame rate exactly', async () => {
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

  it('reading part of a film gives the same pixels as reading all of it', async () => {
    const bytes = await encode(large);
    const whole = await readFrames(bytes);
    const region = { x: 10, y: 6, width: 30, height: 20 };
    const part = await readFrames(bytes, { first: 7, last: 15, every: 4, crop: region });
    expect(part.frameRate).toBeCloseTo(25 / 4, 1);
    expect(worstDifference(part, cropFrames(cutFrames(whole, { first: 7, last: 15, every: 4 }), region))).toBe(0);
  });

  it('refuses odd sizes, frames beyond the end, and truncated files', async () => {
    await expect(encodeFrames(discFilm(33, 24, 2), format)).rejects.toThrow(/33 x 24.*must be even/);
    const bytes = await encode(large);
    await expect(readFrames(bytes, { last: 20 })).rejects.toThrow(/has 20 frames, 0 to 19, but frames 0 to 20/);
    await expect(readFrames(bytes.subarray(0, 400))).rejects.toThrow(/cut short|no video track|without frames/);
    await expect(readFrames(bytes.subarray(0, Math.floor(bytes.length * 0.6)))).rejects.toThrow(/cut short/);
  });
});

/** The frame of `among` that is most like frame f of `film`. */
function nearestFrame(some: Frames, f: number, among: Frames): number {
  const one = cutFrames(some, { first: f, last: f });
  const errors = Array.from({ length: frameCount(among) }, (_, g) =>
    rootMeanSquare(one, cutFrames(among, { first: g, last: g })),
  );
  return errors.indexOf(Math.min(...errors));
}

describe('a WebM of several clusters', () => {
  it('is refused when some clusters are missing, although the rest looks like a shorter film', async () => {
    const bytes = await encodeFrames(discFilm(32, 24, 150, 25), 'webm');
    const part = bytes.slice(0, Math.floor(bytes.length * 0.8));
    await expect(inspectFilm(part)).rejects.toThrow(
      `is cut short: by what it says of itself it has ${bytes.length} bytes, but there are ${part.length}.`,
    );
    // As cameras and browsers record it, without a size.
    const segment = Buffer.from(part).indexOf(Uint8Array.of(0x18, 0x53, 0x80, 0x67)) + 4;
    const length = Math.clz32(part[segment]) - 23;
    part[segment] |= 2 ** (8 - length) - 1;
    part.fill(0xff, segment + 1, segment + length);
    await expect(inspectFilm(part)).rejects.toThrow(
      /cut short: it says that it lasts 6\.00 s, but its \d+ frames end at [1-4]\.\d\d s/,
    );
  });
});

describe('files that are no films', () => {
  it.each([
    ['text', new TextEncoder().encode('hello, this is text'), /not a video or image of a known format.*68 65 6c 6c 6f/],
    ['nothing', new Uint8Array(), /is empty: it has 0 bytes/],
    [
      'the first bytes of an MP4',
      Uint8Array.of(0, 0, 0, 24, 102, 116, 121, 112, 109, 112, 52, 50),
      /cut short|cannot be read/,
    ],
  ])('%s is refused', async (_, bytes, message) => {
    await expect(readFrames(bytes)).rejects.toThrow(message);
  });

  it('a missing file and an empty folder are named', async () => {
    await expect(readFrames(join(folder, 'none.mp4'))).rejects.toThrow(/There is no file .*none\.mp4/);
    await mkdir(join(folder, 'empty'));
    await expect(readFrames(join(folder, 'empty'))).rejects.toThrow(/empty holds no PNG images/);
  });
});

describe('images that declare an impossible size', () => {
  it('are refused before memory is taken', async () => {
    const gif = (await encodeFrames(film, 'gif')).slice();
    gif.fill(0xff, 6, 10);
    await expect(readFrames(gif)).rejects.toThrow('is a GIF of 65535 x 65535 pixels, and at most 100000000');
    const png = (await encodeFrames(cutFrames(film, { last: 0 }), 'png')).slice();
    new DataView(png.buffer, png.byteOffset).setUint32(16, 60000);
    new DataView(png.buffer, png.byteOffset).setUint32(20, 60000);
    await expect(readFrames(png, { frameRate: 1 })).rejects.toThrow(
      /cannot be read as a PNG: its header says 60000 x 60000 pixels, which its \d+ bytes cannot hold/,
    );
  });

  it('an animated PNG is refused instead of being read as its first image', async () => {
    const png = await encodeFrames(cutFrames(film, { last: 0 }), 'png');
    const control = Uint8Array.of(0, 0, 0, 8, ...new TextEncoder().encode('acTL'), 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0);
    const animated = new Uint8Array([...png.subarray(0, 33), ...control, ...png.subarray(33)]);
    await expect(readFrames(animated, { frameRate: 1 })).rejects.toThrow('it is an animated PNG');
  });
});

describe('folders of images that are not one sequence are refused', () => {
  it.each([
    ['a number is missing', [1, 2, 3, 5, 6].map((n) => `frame-${n}.png`), /number 4 is missing before 5/],
    ['a number is there twice', ['f1.png', 'f01.png', 'f2.png'], /f0?1\.png and f0?1\.png have the same number/],
    ['two sequences', ['image1.png', 'image2.png', 'mask1.png'], /no single sequence: beside .*\.png there is/],
    ['names without numbers', ['first.png', 'second.png'], /no single sequence/],
  ])('%s', async (what, names, message) => {
    const images = join(folder, what);
    await mkdir(images);
    const bytes = await encodeFrames(cutFrames(film, { last: 0 }), 'png');
    for (const name of names) await writeFile(join(images, name), bytes);
    await expect(readFrames(images, { frameRate: 30 })).rejects.toThrow(message);
    await expect(filmFiles(images)).rejects.toThrow(message);
  });

  it('a complete sequence is read in order, whatever else its file names contain', async () => {
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

describe('a misspelt option is refused', () => {
  const typo = <T>(options: object): T => options as T;
  it.each([
    [() => readFrames('a.gif', typo({ frist: 3 })), /readFrames has no option "frist". Did you mean "first"/],
    [() => readFrames('a.gif', typo({ values: 'lnear' })), /values is "lnear"\. It must be 'encoded' or 'linear'/],
    [() => inspectFilm('a.gif', typo({ first: 3 })), /inspectFilm has no option "first"/],
    [() => writeFrames('a.gif', film, typo({ overwite: true })), /writeFrames has no option "overwite"/],
    [() => writeFrames('a%d.png', film, typo({ depth: 12 })), /depth is 12; a PNG has 8 or 16 bits/],
    [() => encodeFrames(film, 'webm', { quantizer: 70 }), /quantizer is 70; .* whole number from 0 to 63/],
    [async () => cutFrames(film, typo({ frist: 3 })), /cutFrames has no option "frist"/],
    [async () => cameraShifts(film, typo({ referense: 3 })), /cameraShifts has no option "referense"/],
    [
      async () => coverageMasks(film, film, [1, 1, 1], typo({ tolerence: 3 })),
      /coverageMasks has no option "tolerence"/,
    ],
    [async () => requireFrames(film, typo({ counts: 3 })), /requireFrames has no option "counts"/],
  ])('%#', async (call, message) => {
    await expect(call()).rejects.toThrow(message);
  });
});

describe('writeFrames', () => {
  it('replaces a file only when told to, and leaves nothing else behind', async () => {
    const path = join(folder, 'own', 'a.gif');
    await writeFrames(path, film);
    const before = await readFile(path);
    await expect(writeFrames(path, cutFrames(film, { last: 2 }))).rejects.toThrow(/exists already/);
    expect(await readFile(path)).toEqual(before);
    await writeFrames(path, cutFrames(film, { last: 2 }), { overwrite: true });
    expect((await inspectFilm(path)).frameCount).toBe(3);
    expect(await readdir(join(folder, 'own'))).toEqual(['a.gif']);
  });

  it('writes nothing for values that are not finite, or an unknown ending', async () => {
    const broken = cutFrames(film, {});
    broken.data[3] = Number.POSITIVE_INFINITY;
    await expect(writeFrames(join(folder, 'bad', 'a.png'), broken)).rejects.toThrow(/frame 0, pixel \(1, 0\)/);
    await expect(writeFrames(join(folder, 'bad', 'a.avi'), film)).rejects.toThrow(/a\.avi is not a format/);
    expect(await readdir(folder)).not.toContain('bad');
  });
});
