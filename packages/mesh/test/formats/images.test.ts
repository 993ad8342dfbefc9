import { describe, type ExpectedError, expect, it } from 'vitest';
import { parseGltf, type Texture } from '../../src/index.ts';
import {
  baseline,
  bits,
  cmyk,
  deep,
  grey,
  half,
  palette,
  picture,
  pixelsOfBits,
  progressive,
} from '../support/images.ts';
import { texturedGltf } from '../support/textured-gltf.ts';

const textureOf = async (image: Uint8Array): Promise<Texture> =>
  (await parseGltf(texturedGltf(image), 'a.gltf')).textures![0];

/** Converts an sRGB value to linear light, IEC 61966-2-1. */
const light = (v: number): number => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const value = (l: number): number => (l <= 0.0031308 ? 12.92 * l : 1.055 * l ** (1 / 2.4) - 0.055);

/** Returns the largest difference of a texture from the wanted picture, in stored values from 0 to 255. */
function worst({ width, height, colors }: Texture, wanted: (x: number, y: number) => readonly number[]) {
  expect([width, height, colors.length]).toEqual([16, 12, 3 * 16 * 12]);
  let most = 0;
  for (let k = 0; k < colors.length; k++) {
    const pixel = Math.floor(k / 3);
    const expected = wanted(pixel % 16, Math.floor(pixel / 16))[k % 3];
    most = Math.max(most, Math.abs(255 * value(colors[k]) - expected));
  }
  return most;
}

// JPEG loses some: Pillow's own decoding of the same files is off by 5, 16 (channels of colour halved) and 1.4 of 255.
describe('images are read as linear light, upper row first', () => {
  it('of JPEG: baseline, progressive with channels of half size, grey', async () => {
    expect(worst(await textureOf(baseline), picture)).toBeLessThan(6);
    expect(worst(await textureOf(progressive), picture)).toBeLessThan(20);
    const luma = (x: number, y: number): number[] => {
      const [r, g, b] = picture(x, y);
      return Array(3).fill(0.299 * r + 0.587 * g + 0.114 * b);
    };
    expect(worst(await textureOf(grey), luma)).toBeLessThan(2);
  });

  it('of PNG: alpha ignored, 16 bits, one bit, palettes', async () => {
    expect(worst(await textureOf(half), picture)).toBeLessThan(1e-3);
    const { colors } = await textureOf(deep);
    expect(colors[3 * 7 + 1]).toBeCloseTo(light((7 * 4000) / 65535), 6);
    const black = await textureOf(bits);
    const read = Array.from({ length: 192 }, (_, pixel) => black.colors[3 * pixel + 2]).join('');
    expect(read).toBe(pixelsOfBits);
    expect(new Set(Array.from((await textureOf(palette)).colors)).size).toBeGreaterThan(8);
  });
});

describe('refused images', () => {
  const cut = (image: Uint8Array, length: number): Uint8Array => image.subarray(0, length);
  const poked = (image: Uint8Array, at: number, ...bytes: number[]): Uint8Array => {
    const copy = image.slice();
    copy.set(bytes, at);
    return copy;
  };
  /** Byte offset of height and width in the baseline JPEG. */
  const size = baseline.findIndex((byte, k) => byte === 0xff && baseline[k + 1] === 0xc0) + 5;
  it.each<[string, Uint8Array, ExpectedError]>([
    ['a GIF', new TextEncoder().encode('GIF89a'), { code: 'mesh/unknown-format', values: [0, 'PNG', 'JPEG'] }],
    ['a PNG that is damaged', poked(half, 60, 1, 2, 3), { code: 'mesh/image-damaged', values: ['image 0'] }],
    ['a PNG of no size', poked(half, 16, 0, 0, 0, 0), { code: 'mesh/image-damaged', values: [0, 12] }],
    [
      'a PNG that says it is huge',
      poked(half, 16, 0, 0, 31, 255, 0, 0, 31, 255),
      { code: 'mesh/image-damaged', values: [8191] },
    ],
    [
      'a PNG that is too large',
      poked(half, 16, 0, 1, 0, 0, 0, 1, 0, 0),
      { code: 'mesh/image-too-large', values: [65536, 67108864] },
    ],
    [
      'a JPEG that says it is huge',
      poked(baseline, size, 31, 255, 31, 255),
      { code: 'mesh/image-damaged', values: [8191] },
    ],
    ['a JPEG of no size', poked(baseline, size, 0, 0), { code: 'mesh/image-damaged', values: [16, 0] }],
    ['a CMYK JPEG', cmyk, { code: 'mesh/image-not-supported', values: [4, 1, 3] }],
    ['a JPEG coded arithmetically', poked(baseline, size - 4, 0xc9), 'mesh/image-not-supported'],
  ])('%s', async (_, image, expected) => {
    await expect(textureOf(image)).rejects.toThrowCode(expected);
    const { code } = typeof expected === 'string' ? { code: expected } : expected;
    await expect(textureOf(image)).rejects.toThrowCode({ code, values: [0, 'a.gltf'] });
  });

  it('JPEG and PNG truncated at any seventh byte', async () => {
    for (const image of [baseline, progressive, palette])
      for (let length = 0; length < image.length - (image === palette ? 12 : 0); length += 7)
        await expect(textureOf(cut(image, length)), `${length} of ${image.length}`).rejects.toThrowCode({
          // Without its first bytes it is of no known format.
          code: length < (image === palette ? 8 : 2) ? 'mesh/unknown-format' : 'mesh/image-damaged',
          values: [0],
        });
  });
});
