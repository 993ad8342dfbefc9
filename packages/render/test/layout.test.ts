import { describe, expect, it } from 'vitest';
import { colorRows, fromRows, imageLayout, pixelIndex, toRows } from '../src/index.ts';

describe('imageLayout', () => {
  it('pads each picture to whole tiles of 8 x 8 pixels', () => {
    expect(imageLayout({ width: 9, height: 8, cameras: 2 })).toEqual({
      width: 9,
      height: 8,
      cameras: 2,
      tilesX: 2,
      tilesY: 1,
      tiles: 4,
      pixels: 256,
    });
  });

  it('refuses sizes that are not positive integers, and pictures of 2^32 pixels', () => {
    expect(() => imageLayout({ width: 0, height: 8 })).toThrowCode({
      code: 'render/picture-size',
      values: [1, 0, 'width'],
    });
    expect(() => imageLayout({ width: 8, height: 2.5 })).toThrowCode({
      code: 'render/picture-size',
      values: ['height'],
    });
    expect(() => imageLayout({ width: 2 ** 16, height: 2 ** 16 })).toThrowCode({
      code: 'render/picture-size',
      values: [2],
    });
  });
});

describe('toRows and fromRows', () => {
  // Width and height differ, so that transposed pictures would fail.
  const layout = imageLayout({ width: 11, height: 5, cameras: 2 });

  it('put pixel (x, y) of a camera at its place in row-major pictures (toRows)', () => {
    const tiled = new Float64Array(layout.pixels * 3);
    tiled[pixelIndex(layout, 1, 9, 4) * 3 + 2] = 7;
    const rows = toRows(layout, tiled, 3);
    expect(rows.length).toBe(2 * 11 * 5 * 3);
    expect(rows[((1 * 5 + 4) * 11 + 9) * 3 + 2]).toBe(7);
  });

  it('are inverse to each other, for three frames of two cameras', () => {
    const rows = Float32Array.from({ length: 3 * 2 * 11 * 5 * 4 }, (_, k) => k);
    expect(toRows(layout, fromRows(layout, rows, 4), 4)).toEqual(rows);
  });

  it('have a variant colorRows, which leaves out alpha', () => {
    const rows = Float32Array.from({ length: 2 * 2 * 11 * 5 * 4 }, (_, k) => k);
    const colors = colorRows(layout, Float64Array.from(fromRows(layout, rows, 4)));
    expect(colors).toEqual(rows.filter((_, k) => k % 4 < 3));
  });

  it('write bytes into an existing image of the right length (toRows)', () => {
    const bytes = Uint8ClampedArray.from({ length: layout.pixels * 4 }, (_, k) => k % 251);
    const image = new Uint8ClampedArray(2 * 11 * 5 * 4);
    expect(toRows(layout, bytes, 4, image)).toBe(image);
    expect([...image]).toEqual([...toRows(layout, Float32Array.from(bytes), 4)]);
    expect(() => toRows(layout, bytes, 4, image.subarray(1))).toThrowCode({
      code: 'render/wrong-size',
      values: ['`into`', 439],
    });
  });

  it('refuse lengths that are not whole pictures', () => {
    expect(() => toRows(layout, new Float32Array(7), 4)).toThrowCode({ code: 'render/wrong-size', values: [7] });
    expect(() => fromRows(layout, new Float32Array(7), 4)).toThrowCode({ code: 'render/wrong-size', values: [7] });
  });
});
