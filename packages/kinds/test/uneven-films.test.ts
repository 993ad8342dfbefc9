// Films of a bouncing ball whose frames lie at uneven times, which the file states: drawn here, by closed forms, and of
// shared cases where these are at hand. Counted as even, gravity comes out a fifth or more off.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cpuDevice } from '@gradsim/core';
import { randomFrom } from '@gradsim/core/testing';
import type { Estimate } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { createFrames, encodeFrames, type FilmSource, fromLinear } from '@gradsim/video';
import { describe, expect, it } from 'vitest';
import { drawn, isTurnOf, seedOfRun } from '../../../scripts/draws.ts';
import { ball } from '../src/ball/index.ts';
import { measuredOf } from '../src/index.ts';

const SEED = seedOfRun('uneven films');
const random = randomFrom(SEED);
const device = cpuDevice();

async function found(video: FilmSource, measured: Readonly<Record<string, string>>): Promise<Estimate> {
  const texts = { video: 'a.mp4', gravity: 'null', ...measured };
  const context = { device, video, log: () => {}, fileOf: (path: string) => path };
  const [{ problem }] = await ball.stages(measuredOf(ball, texts) as Parameters<typeof ball.stages>[0], context);
  return estimate(problem, { device });
}

const SIZE = { width: 320, height: 240 };
/** Rate of the usual frames, 1/s, and the part of their interval in which the shutter is open. */
const [RATE, SHUTTER, INSTANTS] = [30, 0.25, 8];
/** Distance of the ball from the camera, radius, height above the floor, m, and speed to the side, m/s. */
const [AWAY, RADIUS, HEIGHT, SPEED] = [3, 0.1, 0.75, 0.7];
const [G, RESTITUTION] = [9.81, 0.72];
const FIELD_OF_VIEW = 40;
const PIXELS = SIZE.height / 2 / Math.tan((FIELD_OF_VIEW * Math.PI) / 360) / AWAY;

/** Height of the ball's lowest point above the floor, m, at a time, s. */
function heightAt(time: number): number {
  let [from, up] = [Math.sqrt((2 * HEIGHT) / G), RESTITUTION * Math.sqrt(2 * G * HEIGHT)];
  if (time < from) return HEIGHT - (G * time * time) / 2;
  while (time > from + (2 * up) / G) [from, up] = [from + (2 * up) / G, RESTITUTION * up];
  return up * (time - from) - (G * (time - from) ** 2) / 2;
}

/** Pictures of the ball at given times, s, with the blur of an open shutter, as WebM with these time stamps. */
function filmed(times: readonly number[]): Promise<Uint8Array> {
  const film = { ...createFrames({ ...SIZE, channels: 3, frameRate: RATE }, times.length), times };
  const { width, height } = SIZE;
  const r = RADIUS * PIXELS;
  times.forEach((time, f) => {
    const cover = new Float32Array(width * height);
    for (let i = 0; i < INSTANTS; i++) {
      const t = Math.max(0, time + (SHUTTER / RATE) * ((i + 0.5) / INSTANTS - 0.5));
      const x = width / 2 + PIXELS * (-0.5 + SPEED * t);
      const y = height / 2 - PIXELS * (RADIUS + heightAt(t) - 0.45);
      for (let row = Math.floor(y - r - 1); row < y + r + 1; row++)
        for (let column = Math.floor(x - r - 1); column < x + r + 1; column++)
          cover[row * width + column] +=
            Math.min(Math.max(r + 0.5 - Math.hypot(column + 0.5 - x, row + 0.5 - y), 0), 1) / INSTANTS;
    }
    cover.forEach((part, p) => {
      const ground = 0.35 + 0.15 * ((p % width) / width) + 0.1 * (p / width / height);
      for (let c = 0; c < 3; c++)
        film.data[(f * width * height + p) * 3 + c] = ground + part * ([0.9, 0.25, 0.1][c] - ground);
    });
  });
  // Light adds up, not what is stored.
  return encodeFrames(fromLinear(film, 'srgb'), 'webm');
}

const SECONDS = 1.3;
function timesBy(step: (time: number) => number): number[] {
  const times = [0];
  while (times.at(-1)! < SECONDS) times.push(times.at(-1)! + step(times.at(-1)!) / RATE);
  return times;
}
const dropped = timesBy(() => (random() < 0.2 ? 2 + Math.floor(2 * random()) : 1));

describe('gravity and restitution of a ball that bounces', () => {
  const films: readonly (readonly [string, readonly number[]])[] = [
    ['that is even', timesBy(() => 1)],
    ['with missing frames', dropped],
    ['of a rate that falls', timesBy((time) => (time > 0.6 ? 1.5 : 1))],
    ['with jitter', timesBy(() => 0.75 + 0.5 * random())],
  ];
  it.each(drawn(films, 1))('are found from a film %s', async (_, times) => {
    const { parameters, verdict } = await found(await filmed(times), {
      radius: `${RADIUS}`,
      fieldOfView: `${FIELD_OF_VIEW}`,
      chroma: 'centre',
      lengthTolerance: '0',
      angleTolerance: '0',
    });
    const { gravity, restitution } = parameters;
    console.info(
      `gravity ${gravity.estimate.toFixed(3)} +- ${gravity.standardError!.toFixed(3)}, restitution ${restitution.estimate.toFixed(4)} +- ${restitution.standardError!.toFixed(4)}, ${verdict.findings.map(({ kind }) => kind).join()}`,
    );
    expect(Math.abs(gravity.estimate - G)).toBeLessThan(Math.max(4 * gravity.standardError!, 0.25));
    expect(Math.abs(gravity.estimate - G)).toBeLessThan(0.6);
    expect(Math.abs(restitution.estimate - RESTITUTION)).toBeLessThan(0.012);
  });

  const cases = new URL('../../../../shared/cases/clock/', import.meta.url);
  const isThere = existsSync(cases);
  if (!isThere) console.warn('SKIPPED, NOT TESTED: films of shared cases, which are not beside the repository.');
  it.skipIf(!isThere).each(isTurnOf('films of shared cases', 3) ? drawn(['dropped.mp4', 'vfr.mp4'], 1) : [])(
    'are found from %s',
    async (name) => {
      const { parameters, verdict } = await found(fileURLToPath(new URL(name, cases)), {
        radius: '0.1',
        fieldOfView: '40.107',
        chroma: 'centre',
      });
      const { gravity, restitution } = parameters;
      expect(verdict.trusted).toBe(true);
      expect(Math.abs(gravity.estimate - 9.81)).toBeLessThan(2 * gravity.standardError!);
      expect(Math.abs(restitution.estimate - 0.72)).toBeLessThan(2 * restitution.standardError!);
    },
  );
});
