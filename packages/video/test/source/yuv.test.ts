import { describe, expect, it } from 'vitest';
import { toRgba, type YuvPicture } from '../../src/source/yuv.ts';
import { toI420 } from '../../src/write/i420.ts';

const whole = { x: 0, y: 0, width: 3, height: 2 };
/** A stored picture of 3 x 2 pixels, whose red is 10 * row + column. */
const packed: YuvPicture = {
  format: 'RGBX',
  width: 3,
  height: 2,
  bytes: Uint8Array.from([0, 1, 2, 10, 11, 12].flatMap((red) => [red, 0, 0, 0])),
  planes: [{ offset: 0, stride: 12 }],
  matrix: null,
  fullRange: true,
};

function reds(picture: YuvPicture, rotation: 0 | 90 | 180 | 270): number[] {
  const turned = rotation % 180 !== 0;
  const rgba = new Float32Array(24);
  toRgba(picture, rotation, turned ? { ...whole, width: 2, height: 3 } : whole, rgba);
  return Array.from({ length: 6 }, (_, p) => Math.round(rgba[4 * p] * 255));
}

describe('toRgba', () => {
  it.each([
    [0, [0, 1, 2, 10, 11, 12]],
    [90, [10, 0, 11, 1, 12, 2]],
    [180, [12, 11, 10, 2, 1, 0]],
    [270, [2, 12, 1, 11, 0, 10]],
  ] as const)('rotates a stored picture by %i degrees clockwise', (rotation, expected) => {
    expect(reds(packed, rotation)).toEqual(expected);
  });

  it.each([
    ['bt709', false, [63, 102, 240], [1, 0, 0]],
    ['bt709', false, [173, 42, 26], [0, 1, 0]],
    ['smpte170m', false, [41, 240, 110], [0, 0, 1]],
    ['smpte170m', true, [76, 85, 255], [1, 0, 0]],
    ['bt709', false, [235, 128, 128], [1, 1, 1]],
    ['bt709', true, [255, 128, 128], [1, 1, 1]],
  ] as const)('converts red, green, blue, white of %s, full range %s', (matrix, fullRange, [y, u, v], expected) => {
    const bytes = Uint8Array.of(y, y, y, y, u, v);
    const planes = [
      { offset: 0, stride: 2 },
      { offset: 4, stride: 1 },
      { offset: 5, stride: 1 },
    ];
    for (const format of ['I420', 'NV12']) {
      const rgba = new Float32Array(16);
      const picture = { format, width: 2, height: 2, bytes, planes, matrix, fullRange };
      toRgba(picture, 0, { x: 0, y: 0, width: 2, height: 2 }, rgba);
      // Table values are rounded to whole numbers: up to 1/219 times the coefficient of blue.
      for (let c = 0; c < 3; c++) expect(Math.abs(rgba[c] - expected[c])).toBeLessThan(0.012);
      expect(rgba[3]).toBe(1);
    }
  });

  it('inverts toI420 to 0.008 for smooth pictures, except at their edges', () => {
    const [width, height] = [16, 12];
    const values = Float32Array.from({ length: width * height * 3 }, (_, i) => {
      const p = Math.floor(i / 3);
      return [0.2 + (p % width) / 40, 0.7 - Math.floor(p / width) / 40, 0.5][i % 3];
    });
    const bytes = toI420(values, width, height, 3);
    const planes = [
      { offset: 0, stride: 16 },
      { offset: 192, stride: 8 },
      { offset: 240, stride: 8 },
    ];
    const rgba = new Float32Array(width * height * 4);
    toRgba(
      { format: 'I420', width, height, bytes, planes, matrix: 'bt709', fullRange: false },
      0,
      { x: 0, y: 0, width, height },
      rgba,
    );
    for (let y = 2; y < height - 2; y++) {
      for (let x = 2; x < width - 2; x++) {
        const p = y * width + x;
        for (let c = 0; c < 3; c++) expect(Math.abs(rgba[4 * p + c] - values[3 * p + c])).toBeLessThan(0.008);
      }
    }
  });

  it('refuses an unknown pixel format', () => {
    expect(() => toRgba({ ...packed, format: 'P010' }, 0, whole, new Float32Array(24))).toThrowCode({
      code: 'video/pixels-not-supported',
      values: ['P010'],
    });
  });
});
