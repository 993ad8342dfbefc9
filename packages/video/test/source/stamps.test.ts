import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import { cutFrames, encodeFrames, inspectFilm, readFrames, stampsOf, timeOf, trackBlobs } from '../../src/index.ts';
import { discFilm } from '../films.ts';
import { h264, h264Missing, vp9InMp4 } from '../support/videos.ts';

const SEED = seedOfRun('stamps');
const random = randomNumbers(SEED);

const rounded = (times: readonly number[], unit: number): number[] =>
  times.map((time) => Math.round(time / unit) * unit);
const evenTimes = (rate: number, count: number): number[] => Array.from({ length: count }, (_, k) => k / rate);

describe('stampsOf', () => {
  it('takes times that are even up to rounding for even, whatever the rate, the resolution and the start', () => {
    for (let trial = 0; trial < 200; trial++) {
      const [rate, unit] = [10 + 190 * random(), [1e-3, 1 / 600, 1 / 90_000][trial % 3]];
      const start = random();
      const times = rounded(
        evenTimes(rate, 3 + Math.floor(100 * random())).map((time) => start + time),
        unit,
      );
      expect(stampsOf(times, unit, rate)).toEqual({ frameRate: rate });
      // Copied from WebM to a container of a finer resolution.
      if (unit === 1e-3) expect(stampsOf(times, 1 / 90_000, rate)).toEqual({ frameRate: rate });
    }
  });

  it('keeps the times of films with a missing frame, of variable rate and with jitter, and tells their usual rate', () => {
    for (let trial = 0; trial < 100; trial++) {
      const rate = 15 + 100 * random();
      const dropped = evenTimes(rate, 60).filter((_, k) => k !== 5 + Math.floor(50 * random()) && (k < 20 || k > 22));
      const changed = evenTimes(rate, 30);
      for (let k = 0; k < 20; k++) changed.push(changed.at(-1)! + 1.5 / rate);
      const jittering = evenTimes(rate, 60).map((time) => time + ((random() - 0.5) * 0.2) / rate);
      for (const times of [dropped, changed, jittering]) {
        const found = stampsOf(rounded(times, 1e-3), 1e-3, (times.length - 1) / (times.at(-1)! - times[0]));
        expect(found.times![0]).toBe(0);
        times.forEach((time, k) => {
          expect(Math.abs(found.times![k] - (time - times[0]))).toBeLessThan(1.001e-3);
        });
        expect(Math.abs(found.frameRate / rate - 1)).toBeLessThan(0.06);
      }
    }
  });
});

const TIMES = [0, 0.04, 0.08, 0.12, 0.16, 0.2, 0.32, 0.36, 0.41, 0.46, 0.5, 0.62];
const film = { ...discFilm(64, 48, TIMES.length, 25), times: TIMES };

describe.each([
  ['WebM', 1e-3, () => encodeFrames(film, 'webm')],
  ['GIF', 1e-9, () => encodeFrames(film, 'gif')],
  ['MP4', 1e-4, () => vp9InMp4(film)],
] as const)('a film of frames at uneven times, as %s', (_, off, encode) => {
  it('has the times that were written, whole and in parts', async () => {
    const bytes = await encode();
    const { times, frameRate } = await inspectFilm(bytes);
    const close = (found: readonly number[] | undefined, right: readonly number[]): void => {
      expect(found?.length).toBe(right.length);
      right.forEach((time, k) => {
        expect(Math.abs(found![k] - time)).toBeLessThanOrEqual(off);
      });
    };
    close(times, TIMES);
    expect(Math.abs(frameRate! / 25 - 1)).toBeLessThan(0.1);
    close((await readFrames(bytes)).times, TIMES);
    const part = await readFrames(bytes, { first: 4, last: 10, every: 2 });
    close(part.times, [0, 0.16, 0.25, 0.34]);
    // Within the first six frames nothing is uneven.
    const even = await readFrames(bytes, { last: 5 });
    expect(even.times).toBeUndefined();
    expect(even.frameRate / 25).toBeCloseTo(1, 2);
    // Slow motion: frames were taken at four times the rate of their stamps.
    const { times: slow, frameRate: fast } = await readFrames(bytes, { frameRate: 4 * frameRate! });
    close(
      slow!.map((time) => 4 * time),
      TIMES,
    );
    expect(fast / frameRate!).toBeCloseTo(4, 3);
  });
});

it.skipIf(h264Missing !== undefined)('H.264 of one rate has no times', async () => {
  const info = await inspectFilm(h264(discFilm(64, 48, 9, 29.97)));
  expect(info.times).toBeUndefined();
});

it('tracks, cuts and other films of the same frames keep the times', () => {
  const masks = { ...film, channels: 1 as const, data: film.data.filter((_, k) => k % 3 === 0).map((v) => +(v > 0.8)) };
  const [track] = trackBlobs(masks);
  for (const { frame, time } of track.points) expect(time).toBe(TIMES[frame]);
  const cut = cutFrames(film, { first: 5, last: 9, every: 2 });
  expect(cut.times!.map((time) => Number(time.toFixed(9)))).toEqual([0, 0.16, 0.26]);
  expect(timeOf(cut, 2)).toBe(cut.times![2]);
  expect(timeOf({ frameRate: 50 }, 3)).toBe(0.06);
});
