import { createFrames, frameAt, fromLinear } from '@gradsim/video';
import { describe, expect, it } from 'vitest';
import { bodyMasks } from '../src/photo/masks.ts';
import { trusted } from '../src/photo/trust.ts';

/** Width, and also height, of the pictures, px. */
const SIZE = 40;
const GROUND = [0.4, 0.38, 0.34];
const SHADOW = [0.1, 0.15, 0.22];
const BODY = [0.5, 0.12, 0.3];

/** Area of the part of the unit square at (x, y) that lies within a rectangle. */
const covered = (x: number, y: number, [left, right]: number[], [top, bottom]: number[]): number =>
  Math.max(0, Math.min(x + 1, right) - Math.max(x, left)) * Math.max(0, Math.min(y + 1, bottom) - Math.max(y, top));

/** A film of two frames of a rectangle and its shadow over ground with grain, and its plate; 8-bit sRGB values. */
function filmed(face: readonly number[] = BODY) {
  const film = createFrames({ width: SIZE, height: SIZE, channels: 3, frameRate: 30 }, 2);
  const plate = createFrames({ ...film }, 1);
  const truth = [0, 1].map(() => new Float64Array(SIZE * SIZE));
  const across = [
    [5.3, 15.6],
    [9.8, 20.1],
  ];
  for (let p = 0; p < SIZE * SIZE; p++) {
    const [x, y] = [p % SIZE, Math.floor(p / SIZE)];
    const grain = 0.9 + 0.2 * ((p * 7919) % 101) * 0.01;
    const stored = (light: number[]): Float32Array =>
      fromLinear({ ...plate, data: Float32Array.from(light) }, 'srgb').data.map((v) => Math.round(255 * v) / 255);
    plate.data.set(stored(GROUND.map((g) => g * grain)), 3 * p);
    across.forEach((sides, f) => {
      const a = covered(x, y, sides, [8.4, 18.2]);
      // Its left part is of another face.
      const front = x < 14 ? face : BODY;
      const dark = covered(x, y, [sides[0] + 4, sides[1] + 8], [16, 24]);
      const light = GROUND.map((g, c) => a * front[c] + (1 - a) * g * grain * (1 - dark * (1 - SHADOW[c])));
      frameAt(film, f).set(stored(light), 3 * p);
      truth[f][p] = a;
    });
  }
  return { film, plate, truth };
}

describe('masks of a body that casts a shadow', () => {
  it('equal the coverage of pixels by the body to 0.1, except at fewer than five pixels, despite the shadow', () => {
    const { film, plate, truth } = filmed();
    const { parts } = bodyMasks(film, plate, truth[0]);
    for (const f of [0, 1]) {
      const mask = frameAt(parts, f);
      const off = mask.map((part, p) => Math.abs(part - truth[f][p]));
      // Corners have neighbours to the side alone; everywhere else 8 bits and grain are all that errs.
      expect(Math.max(...off)).toBeLessThan(0.3);
      expect(off.filter((d) => d > 0.1).length).toBeLessThan(5);
      const area = truth[f].reduce((sum, a) => sum + a, 0);
      expect(mask.reduce((sum, a) => sum + a, 0) / area).toBeCloseTo(1, 1);
    }
  });

  it('give a weight below 0.2 to body pixels that look like shadowed ground, and the full weight to a lit ground pixel', () => {
    const { film, plate, truth } = filmed(GROUND.map((g, c) => g * SHADOW[c]));
    const { parts, weights } = bodyMasks(film, plate, truth[0]);
    const [mask, weight] = [parts, weights].map((frames) => frameAt(frames, 1));
    // A face of the body in the ground's own colour in shadow is not found, but says little; lit ground says all.
    const lost = [...mask.keys()].filter((p) => truth[1][p] > 0.99 && mask[p] < 0.5);
    expect(lost.length).toBeGreaterThan(20);
    for (const p of lost) expect(weight[p]).toBeLessThan(0.2);
    expect(weight[0]).toBe(1);
    expect(weight.filter((w) => w < 1).length).toBeGreaterThan(30);
  });

  it('lose over 99 % of their weight at a pixel that contradicts an estimate wholly, under 30 % where it differs by 0.1', () => {
    const one = createFrames({ width: 3, height: 1, channels: 1, frameRate: 30 }, 1);
    const parts = { ...one, data: Float32Array.of(1, 1, 0.2) };
    const weights = { ...one, data: Float32Array.of(1, 1, 0.5) };
    const { data } = trusted(weights, parts, [1, 0, 0.3]);
    expect(data[0]).toBe(1);
    expect(data[1]).toBeLessThan(0.01);
    expect(data[2]).toBeGreaterThan(0.35);
  });
});
