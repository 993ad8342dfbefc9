import { decode } from 'fast-png';
import { expect, it } from 'vitest';
import { encodePngRows } from '../../src/images/encode-png-rows.ts';

it.each([
  [1, 8],
  [3, 8],
  [4, 8],
  [1, 16],
  [3, 16],
  [4, 16],
] as const)(
  'encodePngRows: another decoder reads the same values of %i channels in %i bits',
  async (channels, depth) => {
    const [width, height] = [5, 7];
    const values = Array.from({ length: width * height * channels }, (_, k) => (k * 40503) % 2 ** depth);
    const rows = depth === 8 ? Uint8Array.from(values) : Uint16Array.from(values);
    const row = width * channels;
    // A band may be written over once the next one is asked for.
    function* bands() {
      const band = rows.slice(0, 3 * row);
      for (let from = 0; from < rows.length; from += band.length) {
        const part = rows.subarray(from, from + band.length);
        band.set(part);
        yield band.subarray(0, part.length);
      }
    }
    const png = decode(await encodePngRows({ width, height, channels }, bands()), { checkCrc: true });
    expect(png).toMatchObject({ width, height, channels, depth });
    expect(Array.from(png.data)).toEqual(values);
  },
);
