import type { Posterior } from '@gradsim/optim';
import { findingsOf } from '@gradsim/optim';
import { LookAtCamera } from '@gradsim/render';
import type { Frames } from '@gradsim/video';
import { createFrames, frameAt } from '@gradsim/video';
import { describe, expect, it } from 'vitest';
import { randomBetween } from '../../../../../scripts/vitest/draws.ts';
import { filmCamera, fitBeamOutlines } from '../../../src/index.ts';

/** Posterior of which the check looks at nothing. */
const anything = {} as Posterior;

const SIZE = { width: 260, height: 120 };
/** Frame rate of the film, frames/s. */
const RATE = 30;
/** Exposure time as a fraction of the frame interval. */
const SHUTTER = 0.6;
/** Number of frames of the film. */
const FRAMES = 24;
/** First and last row of the picture that the beam occupies. */
const [TOP, BOTTOM] = [40, 85];
const BEAM = { length: 0.8, thickness: 0.05, width: 0.06, clamp: [-0.4, 0.3, 0] };
const EYE = [0, 0.7, 1.2];
const TARGET = [0, 0.3, 0];
/** Tangent of half of the vertical field of view. */
const HALF = 0.16;
const CAMERA = { eye: EYE, target: TARGET, fieldOfView: 2 * Math.atan(HALF) };
/** Angular frequency of the swing, rad/s: six frames per period. */
const OMEGA = (2 * Math.PI * RATE) / 6;

/** Height of the beam's free end, m: released at time 0, it swings about a sag of 2 cm. */
const tipAt = (time: number): number =>
  time <= 0 ? 0 : -0.02 * (1 - Math.exp(-0.03 * OMEGA * time) * Math.cos(OMEGA * time));

/** Deflection of a beam under its own weight at a fraction of its length, relative to that of the free end. */
const shape = (part: number): number => (part * part * (6 + part * (part - 4))) / 3;

const unit = (v: readonly number[]): number[] => v.map((x) => x / Math.hypot(...v));
const cross = (a: readonly number[], b: readonly number[]): number[] =>
  [0, 1, 2].map((k) => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
const AHEAD = unit(TARGET.map((t, k) => t - EYE[k]));
const RIGHT = unit(cross(AHEAD, [0, 1, 0]));
const UP = cross(RIGHT, AHEAD);

/**
 * Point where a line of sight hits the beam: position along it, m, and whether on its upper side or front; undefined where it
 * misses.
 */
function met(tip: number, x: number, y: number): { along: number; isTop: boolean; height: number } | undefined {
  const [u, v] = [((2 * x) / SIZE.width - 1) * HALF * (SIZE.width / SIZE.height), (1 - (2 * y) / SIZE.height) * HALF];
  const ray = AHEAD.map((a, k) => a + u * RIGHT[k] + v * UP[k]);
  const { length, thickness, width, clamp } = BEAM;
  /**
   * Intersection of the line of sight with the plane at depth z: distance along the beam, and height above its middle
   * line, m.
   */
  const at = (z: number): [along: number, above: number] => {
    const far = (z - EYE[2]) / ray[2];
    const along = EYE[0] + far * ray[0] - clamp[0];
    const part = Math.min(Math.max(along / length, 0), 1);
    return [along, EYE[1] + far * ray[1] - clamp[1] - tip * shape(part)];
  };
  const inside = (along: number): boolean => along >= 0 && along <= length;
  const [along, above] = at(width / 2);
  if (Math.abs(above) <= thickness / 2) return inside(along) ? { along, isTop: false, height: above } : undefined;
  if (above < 0 || at(-width / 2)[1] > thickness / 2) return undefined;
  let [near, far] = [width / 2, -width / 2];
  for (let k = 0; k < 20; k++) {
    const middle = (near + far) / 2;
    if (at(middle)[1] > thickness / 2) near = middle;
    else far = middle;
  }
  const [there] = at(near);
  return inside(there) ? { along: there, isTop: true, height: near } : undefined;
}

/** Light of the wall at a pixel; the constants below are colours, red, green and blue. */
const wall = (x: number, y: number): number => 0.25 + 0.05 * Math.sin(x / 9) * Math.cos(y / 7);
const TINT = [1, 0.95, 0.9];
const COLOUR = [0.3, 0.5, 1];
const HAND = [0.7, 0.4, 0.3];

const toStored = (light: number): number => (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);

/**
 * Film of the beam, each frame the mean of 16 rays per pixel, each at another instant, with noise; on request with a
 * hand in front of it in the last frames.
 */
function filmed(hand = 0): { frames: Frames; background: Frames; count: number } {
  const frames = createFrames({ ...SIZE, channels: 3, frameRate: RATE }, FRAMES);
  const background = createFrames({ ...SIZE, channels: 3, frameRate: RATE }, 1);
  const RAYS = 16;
  const random = randomBetween(20211);
  for (let f = -1; f < FRAMES; f++) {
    const frame = f < 0 ? background.data : frameAt(frames, f);
    const tips = Array.from({ length: RAYS }, (_, i) => tipAt((f + SHUTTER * ((i + 0.5) / RAYS - 0.5)) / RATE));
    for (let row = 0; row < SIZE.height; row++)
      for (let column = 0; column < SIZE.width; column++) {
        const light = [0, 0, 0];
        tips.forEach((tip, i) => {
          const [x, y] = [column + (i % 2) / 2 + 0.25, row + (((7 * i) % RAYS) + 0.5) / RAYS];
          const seen = f < 0 || row < TOP || row > BOTTOM ? undefined : met(tip, x, y);
          // Stripes along it, other ones above and in front.
          const stripes = seen && 0.8 + 0.2 * Math.sin(seen.along * 60 + (seen.isTop ? 1 : 0));
          const across = seen && 1 + 4 * seen.height;
          const behind = wall(x, y);
          const isHidden = f >= FRAMES - hand && Math.hypot(x - 180, y - 65) < 22;
          for (let c = 0; c < 3; c++) {
            const own = seen && (seen.isTop ? 0.7 : 0.4) * stripes! * across! * COLOUR[c];
            light[c] += (isHidden ? HAND[c] : (own ?? behind * TINT[c])) / RAYS;
          }
        });
        const p = 3 * (row * SIZE.width + column);
        light.forEach((value, c) => {
          frame[p + c] = toStored(value) + 0.015 * random();
        });
      }
  }
  return { frames, background, count: FRAMES };
}

/** Height of the middle of the visible beam in the picture, px from the upper edge, for a height of its free end. */
function middleHeight(tip: number): number {
  let [sum, area] = [0, 0];
  for (let y = 0.01; y < SIZE.height; y += 0.02)
    for (let x = 1; x < SIZE.width; x += 2)
      if (y >= TOP && y < BOTTOM + 1 && met(tip, x, y)) {
        sum += y;
        area++;
      }
  return sum / area;
}

const TALL = { width: 260, height: 200 };

/**
 * Polyline of the beam's length whose angle has the shape of bending under its own weight, and is `angle`, rad, at its
 * end.
 */
function elastica(angle: number): (readonly [number, number])[] {
  const steps = 200;
  const line: [number, number][] = [[0, 0]];
  for (let k = 0; k < steps; k++) {
    const part = (k + 0.5) / steps;
    const own = angle * part * (3 + part * (part - 3));
    const [x, y] = line[k];
    line.push([x + (BEAM.length / steps) * Math.cos(own), y + (BEAM.length / steps) * Math.sin(own)]);
  }
  return line;
}

/**
 * Tests whether a point is within half of the beam's thickness of a polyline from left to right, measured perpendicular
 * to one of its segments.
 */
function isBy(line: readonly (readonly [number, number])[], x: number, y: number): boolean {
  const reach = BEAM.thickness / 2;
  if (x < 0 || x > BEAM.length || y > reach || y < -BEAM.length / 2) return false;
  const from = Math.max(0, Math.floor(((x - reach) / BEAM.length) * (line.length - 1)));
  for (let k = from; k + 1 < line.length && line[k][0] <= x + reach; k++) {
    const [[a, b], [c, d]] = [line[k], line[k + 1]];
    const length = Math.hypot(c - a, d - b);
    const along = ((x - a) * (c - a) + (y - b) * (d - b)) / length;
    const aside = ((x - a) * (d - b) - (y - b) * (c - a)) / length;
    if (along >= 0 && along <= length && Math.abs(aside) <= reach) return true;
  }
  return false;
}

const camera = await filmCamera(LookAtCamera, CAMERA, SIZE);
const FILM = filmed();

describe('fitBeamOutlines', () => {
  it('finds the height of the beam in mid-exposure to 0.1 px, the exposure to 10 % of a frame, and the damping ratio to 0.003', async () => {
    const { outlines: found, tips, dampingRatio, shutter, check } = await fitBeamOutlines(FILM, camera, BEAM);
    const outlines = found.map((outline) => outline!);
    // Its height is determined by its end's, by a low polynomial.
    const known = [0, 0.25, 0.5, 0.75, 1].map((part) => middleHeight(-0.04 * part));
    const heightOf = (tip: number): number => {
      const at = -tip / 0.01;
      const k = Math.min(Math.floor(at), 3);
      return known[k] + (at - k) * (known[k + 1] - known[k]);
    };
    const true_ = outlines.map((_, f) => tipAt(f / RATE));
    const offs = outlines.map(({ y }, f) => y - outlines[0].y - heightOf(true_[f]) + known[0]);
    const gain = (found: readonly number[], truth: readonly number[]): number =>
      found.reduce((sum, own, f) => sum + own * truth[f], 0) / truth.reduce((sum, own) => sum + own ** 2, 0);
    const moved = true_.map((tip) => heightOf(tip) - known[0]);
    const heights = gain(
      outlines.map(({ y }) => y - outlines[0].y),
      moved,
    );
    console.info(
      `beam outlines: shutter ${shutter.toFixed(3)}, tips ${gain(tips, true_).toFixed(4)} and heights ${heights.toFixed(4)} times the true ones, off by ${offs.map((off) => off.toFixed(3)).join(' ')} pixels of ${Math.max(...moved).toFixed(1)}`,
    );
    expect(Math.abs(shutter - SHUTTER)).toBeLessThan(0.1);
    expect(Math.abs(dampingRatio - 0.03)).toBeLessThan(0.003);
    // The mean of an exposure is short by 1.6 %.
    expect(Math.abs(gain(tips, true_) - 1)).toBeLessThan(0.007);
    expect(Math.abs(heights - 1)).toBeLessThan(0.008);
    offs.forEach((off, f) => {
      expect(Math.abs(off)).toBeLessThan(0.1);
      // They state their own uncertainty.
      expect(Math.abs(off) / outlines[f].uncertainty!).toBeLessThan(3);
    });
    expect(findingsOf(anything, [check])).toEqual([]);
  });

  it('finds the height of the free end to 0.8 mm for a beam of 80 cm that bends down by over 20 cm', async () => {
    // Seen from its own height: its front alone, before a plain wall.
    const view = await filmCamera(LookAtCamera, { ...CAMERA, eye: [0, 0.2, 3], target: [0, 0.2, 0] }, TALL);
    const frames = createFrames({ ...TALL, channels: 3, frameRate: RATE }, 13);
    const background = createFrames({ ...TALL, channels: 3, frameRate: RATE }, 1);
    background.data.fill(toStored(0.25));
    const near = BEAM.width / 2;
    const scale = TALL.height / 2 / HALF / (3 - near);
    const ends = Array.from({ length: 13 }, (_, f) => {
      const frame = frameAt(frames, f);
      const line = elastica(-0.2 * (1 - Math.cos((Math.PI * f) / 3)));
      for (let row = 0; row < TALL.height; row++)
        for (let column = 0; column < TALL.width; column++) {
          let part = 0;
          for (let ray = 0; ray < 9; ray++) {
            const x = (column + ((4 * ray) % 9) / 9 + 1 / 18 - TALL.width / 2) / scale;
            const y = 0.2 - (row + ray / 9 + 1 / 18 - TALL.height / 2) / scale;
            part += Number(isBy(line, x - BEAM.clamp[0], y - BEAM.clamp[1])) / 9;
          }
          for (let c = 0; c < 3; c++)
            frame[3 * (row * TALL.width + column) + c] = toStored(0.25 + part * ([0.6, 0.3, 0.1][c] - 0.25));
        }
      return line[line.length - 1][1];
    });
    const { tips } = await fitBeamOutlines({ frames, background, count: 13 }, view, BEAM);
    console.info(`far bent: ${tips.map((tip, f) => `${tip.toFixed(4)} of ${ends[f].toFixed(4)}`).join(', ')} m`);
    expect(Math.min(...ends)).toBeLessThan(-0.2);
    tips.forEach((tip, f) => {
      expect(Math.abs(tip - ends[f])).toBeLessThan(0.0008);
    });
  });

  it('reports a critical finding that counts the frames in which a hand hides the beam, and names their range', async () => {
    const { check } = await fitBeamOutlines(filmed(5), camera, BEAM);
    expect(findingsOf(anything, [check])[0]).toMatchObject({
      isCritical: true,
      note: expect.stringContaining(`In 5 of ${FRAMES} frames, among 19 to 23`),
    });
  });

  it('refuses a width of 0, unknown options, a beam out of view, another picture size, and another number of frames', async () => {
    await expect(fitBeamOutlines(FILM, camera, { ...BEAM, width: 0 })).rejects.toThrowCode({
      code: 'film/option-out-of-range',
      field: 'width',
      values: [0],
    });
    await expect(fitBeamOutlines(FILM, camera, { ...BEAM, thicknes: 1 } as never)).rejects.toThrowCode({
      code: 'base/unknown-option',
      values: ['"thickness"'],
    });
    await expect(fitBeamOutlines(FILM, camera, { ...BEAM, clamp: [0, 5, 0] })).rejects.toThrowCode('film/not-seen');
    await expect(fitBeamOutlines(FILM, { ...camera, width: 400 }, BEAM)).rejects.toThrowCode({
      code: 'film/other-shape',
      values: [260, 120],
    });
    await expect(fitBeamOutlines({ ...FILM, count: 25 }, camera, BEAM)).rejects.toThrowCode({
      code: 'film/wrong-size',
      values: [25, 24],
    });
  });
});
