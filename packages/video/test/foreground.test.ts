import { describe, expect, it } from 'vitest';
import {
  cameraShifts,
  chooseThresholds,
  colourDistance,
  coverageMasks,
  createFrames,
  foregroundMasks,
  medianBackground,
  stabiliseFrames,
  trackBlobs,
} from '../src/index.ts';
import { filmOf, worstDifference } from './films.ts';

const shape = { width: 48, height: 32, channels: 3 as const, frameRate: 30 };
const red = [0.8, 0.2, 0.1];

/** Noise that is the same in every run. Seed 7 of a linear congruential generator (Numerical Recipes). */
function noise(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 32 - 0.5) * 0.03;
  };
}

const ground = (x: number, y: number) => 0.6 + 0.15 * Math.sin(x / 3) * Math.cos(y / 4);
const center = (f: number) => ({ x: 8 + 2.3 * f, y: 10 + 0.7 * f });

/** Cover of a pixel by a disc of radius 5, to first order. */
const cover = (x: number, y: number, f: number) => {
  const at = center(f);
  return Math.min(Math.max(5.5 - Math.hypot(x + 0.5 - at.x, y + 0.5 - at.y), 0), 1);
};

const random = noise();
const film = filmOf(shape, 15, (x, y, c, f) => {
  const a = cover(x, y, f);
  return (1 - a) * ground(x, y) + a * red[c] + random();
});
const plate = filmOf(shape, 1, (x, y) => ground(x, y));

describe('medianBackground', () => {
  it('finds what stands still behind what moves, to the noise', () => {
    expect(worstDifference(medianBackground(film), plate)).toBeLessThan(0.02);
  });

  it('refuses two frames', () => {
    expect(() => medianBackground(createFrames(shape, 2))).toThrow(/at least 3 frames, this film has 2/);
  });
});

describe('foregroundMasks', () => {
  it('finds the disc with thresholds of its own: centres to a fifth of a pixel, area to 5 %', () => {
    const track = trackBlobs(foregroundMasks(film, medianBackground(film)));
    expect(track.length).toBe(15);
    for (const { frame, x, y, area } of track) {
      expect(Math.abs(x - center(frame).x)).toBeLessThan(0.2);
      expect(Math.abs(y - center(frame).y)).toBeLessThan(0.2);
      expect(area / (Math.PI * 25)).toBeCloseTo(1, 1);
    }
  });

  it('is 0 on the background and 1 on the object with thresholds given', () => {
    const masks = foregroundMasks(film, plate, { low: 0.1, high: 0.4 });
    expect(masks.data[47]).toBe(0);
    expect(masks.data[Math.floor(center(0).y) * 48 + Math.floor(center(0).x)]).toBe(1);
  });

  it('refuses another size, bad thresholds, and a film in which nothing moves', () => {
    expect(() => foregroundMasks(film, createFrames({ ...shape, width: 4 }, 1))).toThrow(
      /4 x 32 x 3.*48 x 32 x 3/,
    );
    expect(() => foregroundMasks(film, plate, { low: 0.4, high: 0.1 })).toThrow(/low 0.4, high 0.1/);
    const still = filmOf(shape, 3, (x, y) => ground(x, y));
    expect(() => chooseThresholds(colourDistance(still, plate))).toThrow(/Nothing in the film differs/);
  });
});

describe('coverageMasks', () => {
  it('is the covered part of a pixel, blurred edges included', () => {
    const masks = coverageMasks(film, plate, red);
    const expected = filmOf({ ...shape, channels: 1 }, 15, (x, y, _, f) => cover(x, y, f));
    // Noise of 0.015 in a colour that differs by about 0.7.
    expect(worstDifference(masks, expected)).toBeLessThan(0.05);
  });

  it('leaves out another colour', () => {
    const blue = filmOf(shape, 1, (_x, _y, c) => [0.1, 0.2, 0.9][c]);
    expect(Math.max(...coverageMasks(blue, plate, red).data)).toBe(0);
  });

  it('refuses a colour of another number of values', () => {
    expect(() => coverageMasks(film, plate, [0.5])).toThrow(/colour of 3 values/);
  });
});

describe('cameraShifts and stabiliseFrames', () => {
  const pan = (f: number) => ({ x: 0.31 * f, y: -0.22 * f });
  const panned = filmOf(shape, 9, (x, y, c, f) => {
    const a = cover(x, y, f);
    return (1 - a) * ground(x - pan(f).x, y - pan(f).y) + a * red[c];
  });

  it('follow the camera to 0.05 pixels although a disc moves through the picture', () => {
    const shifts = cameraShifts(panned, { reference: 4 });
    shifts.forEach(({ x, y }, f) => {
      expect(Math.abs(x - (pan(f).x - pan(4).x))).toBeLessThan(0.05);
      expect(Math.abs(y - (pan(f).y - pan(4).y))).toBeLessThan(0.05);
    });
  });

  it('bring still things back to their place', () => {
    const empty = filmOf(shape, 5, (x, y, _, f) => ground(x - pan(f).x, y - pan(f).y));
    const still = stabiliseFrames(empty, cameraShifts(empty));
    const inner = 20 * 48 * 3 + 20 * 3;
    for (let f = 1; f < 5; f++) expect(still.data[f * 48 * 32 * 3 + inner]).toBeCloseTo(ground(20, 20), 2);
  });

  it('refuse shifts for another number of frames', () => {
    expect(() => stabiliseFrames(panned, [{ x: 0, y: 0 }])).toThrow(/1 shifts for 9 frames/);
  });
});
