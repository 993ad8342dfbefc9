import { describe, expect, it } from 'vitest';
import {
  averageInstants,
  cameraShifts,
  createFrames,
  cropFrames,
  cutFrames,
  encodePng,
  frameCount,
  fromLinear,
  requireFrames,
  resizeFrames,
  toLinear,
} from '../../src/index.ts';
import { filmOf, worstDifference } from '../films.ts';

const shape = { width: 4, height: 3, channels: 3 as const, frameRate: 60 };
const numbered = filmOf(shape, 6, (x, y, c, f) => (f * 1000 + y * 100 + x * 10 + c) / 10000);

describe('createFrames and requireFrames', () => {
  it.each([
    [{ ...shape, width: 0 }, 1, { code: 'video/option-out-of-range', values: [0, 'width'] }],
    [{ ...shape, channels: 2 as 3 }, 1, { code: 'video/wrong-channels', values: [2] }],
    [{ ...shape, frameRate: Number.NaN }, 1, { code: 'video/option-out-of-range', values: ['NaN'] }],
    [{ ...shape, width: 1e6, height: 1e6 }, 1000, { code: 'video/out-of-memory', values: ['GB'] }],
  ])('createFrames refuses %o', (bad, count, expected) => {
    expect(() => createFrames(bad, count)).toThrowCode(expected);
  });

  it('requireFrames refuses another size, count or frame rate, and names the place of a value that is not finite', () => {
    expect(() => requireFrames(numbered, { width: 8 }, 'a.mp4')).toThrowCode({
      code: 'video/other-shape',
      values: [3, 8, 'a.mp4'],
    });
    expect(() => requireFrames(numbered, { count: 60 }, 'a.mp4')).toThrowCode({
      code: 'video/too-few-frames',
      values: [60, 'a.mp4'],
    });
    expect(() => requireFrames(numbered, { frameRate: 30 }, 'a.mp4')).toThrowCode({
      code: 'video/other-frame-rate',
      values: [60, 30, 2, 'a.mp4'],
    });
    expect(() => requireFrames(numbered, { frameRate: 59.94 }, 'a.mp4')).not.toThrow();
    expect(() => requireFrames(numbered, { frameRate: 50 }, 'a.mp4')).toThrowCode({
      code: 'video/other-frame-rate',
      values: [50],
    });
    const broken = cutFrames(numbered, {});
    broken.data[36 + 12 + 5] = Number.NaN;
    expect(() => requireFrames(broken, {})).toThrowCode({ code: 'video/value-out-of-range', values: [1, 2, 'NaN'] });
  });
});

describe('cutFrames and cropFrames', () => {
  it('return the requested frames and region, in order', () => {
    const cut = cutFrames(numbered, { first: 1, last: 5, every: 2 });
    expect(frameCount(cut)).toBe(3);
    expect(cut.frameRate).toBe(30);
    expect(cut.data[36]).toBeCloseTo(0.3);
    const crop = cropFrames(numbered, { x: 1, y: 2, width: 2, height: 1 });
    expect(crop.data[6 + 3 + 1]).toBeCloseTo((1000 + 200 + 20 + 1) / 10000);
  });

  it('refuse frames and regions outside of the film, stating its extent', () => {
    expect(() => cutFrames(numbered, { last: 6 })).toThrowCode({ code: 'video/no-such-frame', values: [6, 0, 5] });
    expect(() => cropFrames(numbered, { x: 3, y: 0, width: 2, height: 1 })).toThrowCode({
      code: 'video/region-outside',
      values: [2, 1, 3, 0, 4],
    });
  });
});

describe('resizeFrames', () => {
  it('preserves the mean of the pictures, for a factor that is not a whole number', () => {
    const small = resizeFrames(numbered, { width: 3, height: 2 });
    const mean = (data: Float32Array) => data.reduce((sum, value) => sum + value, 0) / data.length;
    expect(mean(small.data)).toBeCloseTo(mean(numbered.data), 6);
  });

  it('takes exact means for integer factors, and repeats pixels when enlarging', () => {
    const grey = filmOf({ ...shape, channels: 1, height: 2 }, 1, (x, y) => (x + 4 * y) / 8);
    expect([...resizeFrames(grey, { width: 2, height: 1 }).data]).toEqual([2.5 / 8, 4.5 / 8]);
    const large = resizeFrames(grey, { width: 8, height: 4 });
    expect([...large.data.subarray(0, 8)]).toEqual([0, 0, 1, 1, 2, 2, 3, 3].map((v) => v / 8));
  });
});

describe('toLinear', () => {
  it.each(['srgb', 'bt709', 'linear'] as const)('is inverted by fromLinear for %s', (transfer) => {
    expect(worstDifference(fromLinear(toLinear(numbered, transfer), transfer), numbered)).toBeLessThan(1e-6);
  });

  // The curves of IEC 61966-2-1 and of ITU-R BT.709, which jumps at 0.081.
  it.each([
    ['srgb', (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)],
    ['bt709', (v: number) => (v < 0.081 ? v / 4.5 : ((v + 0.099) / 1.099) ** (1 / 0.45))],
  ] as const)('gives the light of any value by the standard, to 1e-7, for %s', (transfer, light) => {
    const values = { width: 40_001, height: 1, channels: 1, frameRate: 1 } as const;
    const film = { ...values, data: Float32Array.from({ length: 40_001 }, (_, k) => k / 40_000) };
    const { data } = toLinear(film, transfer);
    expect(Math.max(...film.data.map((value, k) => Math.abs(data[k] - light(value))))).toBeLessThan(1e-7);
  });

  it('maps 0.5 to 0.2140 (sRGB) and 0.2596 (BT.709), and keeps alpha', () => {
    const half = filmOf({ ...shape, channels: 4 as 3 }, 1, () => 0.5);
    expect(toLinear(half, 'srgb').data[0]).toBeCloseTo(0.21404, 4);
    expect(toLinear(half, 'bt709').data[0]).toBeCloseTo(0.25959, 4);
    expect(toLinear(half, 'srgb').data[3]).toBe(0.5);
  });
});

describe('averageInstants', () => {
  it('returns the mean of each n frames at 1 / n of the frame rate, and refuses a remainder', () => {
    const exposed = averageInstants(numbered, 3);
    expect(exposed.frameRate).toBe(20);
    expect(exposed.data[36 + 1]).toBeCloseTo((4000 + 1) / 10000, 6);
    expect(() => averageInstants(numbered, 4)).toThrowCode({ code: 'video/wrong-size', values: [6, 4] });
  });
});

it('resizeFrames, encodePng, requireFrames and cameraShifts refuse invalid options', async () => {
  const film = createFrames({ width: 8, height: 8, channels: 3, frameRate: 30 }, 2);
  expect(() => resizeFrames(film, { width: 4, heigth: 4 } as never)).toThrowCode({
    code: 'video/option-out-of-range',
    values: ['height'],
  });
  await expect(encodePng(film, 0, { dept: 16 } as never)).rejects.toThrowCode({
    code: 'base/unknown-option',
    values: ['"dept"', 'encodePng'],
  });
  expect(() => requireFrames(film, { count: Number.NaN })).toThrowCode({
    code: 'video/option-out-of-range',
    field: 'count',
    values: ['requireFrames', 'NaN'],
  });
  expect(() => cameraShifts(film, { reference: 2 })).toThrowCode({
    code: 'video/no-such-frame',
    field: 'reference',
    values: [2, 'cameraShifts'],
  });
});
