import { describe, expect, it } from 'vitest';
import { encodeFrames, inspectFilm, readFrames } from '../../src/index.ts';
import { discFilm } from '../films.ts';

/**
 * Encodes palette indices below 4 as LZW codes of three bits, with a clear code before every second one, so that the
 * code length never grows.
 */
function codes(indices: readonly number[], end = true): number[] {
  const all = indices.flatMap((index, k) => (k % 2 === 0 ? [4, index] : [index]));
  if (end) all.push(5);
  const bytes: number[] = [];
  all.forEach((code, k) => {
    for (let b = 0; b < 3; b++) {
      const bit = 3 * k + b;
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (((code >> b) & 1) << (bit & 7));
    }
  });
  return bytes;
}

const short = (value: number): number[] => [value & 255, value >> 8];
/** Palette of black, red, green and blue, from 0 to 255. */
const COLOURS = [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255];

interface Image {
  readonly at: readonly [left: number, top: number, width: number, height: number];
  readonly indices: readonly number[];
  readonly disposal?: number;
  readonly transparent?: number;
  readonly isInterlaced?: boolean;
  readonly isCut?: boolean;
  /** Hundredths of a second. */
  readonly delay?: number;
}

function gif(width: number, height: number, images: readonly Image[]): Uint8Array {
  const blocks = images.flatMap(
    ({ at, indices, disposal = 1, transparent, isInterlaced = false, isCut = false, delay = 4 }) => {
      const data = codes(indices, !isCut);
      const flags = (disposal << 2) | (transparent === undefined ? 0 : 1);
      const control = [0x21, 0xf9, 4, flags, ...short(delay), transparent ?? 0, 0];
      return [...control, 0x2c, ...at.flatMap(short), isInterlaced ? 0x40 : 0, 2, data.length, ...data, 0];
    },
  );
  const comment = [0x21, 0xfe, 2, 104, 105, 0];
  const header = [...new TextEncoder().encode('GIF89a'), ...short(width), ...short(height), 0x81, 0, 0, ...COLOURS];
  return Uint8Array.from([...header, ...comment, ...blocks, 0x3b]);
}

/** Returns each frame as a string with the palette index of every pixel, or - where nothing is drawn. */
async function shown(bytes: Uint8Array): Promise<string[]> {
  const { data, frameRate, height, width } = await readFrames(bytes, { channels: 4 });
  expect(frameRate).toBeCloseTo(25);
  const pixels = Array.from({ length: data.length / 4 }, (_, p) => {
    const [r, g, b, a] = data.subarray(4 * p, 4 * p + 4);
    return a === 0 ? '-' : String(r + 2 * g + 3 * b);
  }).join('');
  return pixels.match(new RegExp(`.{${width * height}}`, 'g')) ?? [];
}

describe('a GIF', () => {
  it('composes its images by each disposal method: kept, cleared, restored; transparency included', async () => {
    const whole: Image = { at: [0, 0, 3, 2], indices: [1, 1, 1, 2, 2, 2] };
    const corner = { at: [1, 0, 2, 1], indices: [3, 0], transparent: 0 } as const;
    const film = gif(3, 2, [
      whole,
      { ...corner, disposal: 3 },
      { ...corner, at: [0, 1, 2, 1], disposal: 2 },
      { ...corner, at: [2, 1, 1, 1], indices: [3] },
    ]);
    expect(await shown(film)).toEqual(['111222', '131222', '111322', '111--3']);
  });

  it('is decoded with interlaced rows in order', async () => {
    const rows = [0, 8, 4, 2, 6, 1, 3, 5, 7].map((row) => row % 4);
    expect(await shown(gif(1, 9, [{ at: [0, 0, 1, 9], indices: rows, isInterlaced: true }]))).toEqual(['012301230']);
  });

  it('is refused if an image has too few pixels, exceeds the picture, or has a colour outside of the palette', async () => {
    const whole: Image = { at: [0, 0, 2, 2], indices: [1, 1, 2, 2] };
    const read = (...images: Image[]) => readFrames(gif(2, 2, images));
    await expect(read(whole, { ...whole, indices: [1, 1, 2] })).rejects.toThrowCode({
      code: 'video/file-damaged',
      values: [1, 3, 4],
    });
    await expect(read(whole, { ...whole, indices: [1], isCut: true })).rejects.toThrowCode({
      code: 'video/file-damaged',
      values: [1, 4],
    });
    await expect(read({ ...whole, at: [1, 0, 2, 2] })).rejects.toThrowCode({
      code: 'video/file-damaged',
      values: ['(1, 0)', 2],
    });
    await expect(read({ ...whole, indices: [1, 7, 2, 2] })).rejects.toThrowCode({
      code: 'video/file-damaged',
      values: [0, 7],
    });
  });

  it('is refused when truncated anywhere after its first 14 bytes', async () => {
    const bytes = await encodeFrames(discFilm(8, 6, 3), 'gif');
    for (let length = 14; length < bytes.length; length++)
      await expect(readFrames(bytes.subarray(0, length))).rejects.toThrowCode('video/file-damaged');
  });
});

describe('the clock of a GIF', () => {
  const of = (...delays: number[]): Uint8Array =>
    gif(
      1,
      1,
      delays.map((delay) => ({ at: [0, 0, 1, 1], indices: [1], delay }) as const),
    );

  it('is that of the delays, of which the last says nothing of the frames', async () => {
    expect((await inspectFilm(of(4, 4, 4))).frameRate).toBeCloseTo(25);
    expect((await inspectFilm(of(4, 4, 0))).frameRate).toBeCloseTo(25);
  });

  it('is not there without delays: the rate is asked for', async () => {
    for (const bytes of [of(0, 0, 0), of(0, 4, 4), of(0)]) {
      expect((await inspectFilm(bytes)).frameRate).toBeUndefined();
      await expect(readFrames(bytes)).rejects.toThrowCode('video/frame-rate-missing');
    }
    expect((await readFrames(of(0, 0, 0), { frameRate: 30 })).frameRate).toBe(30);
  });
});
