// Films of a bouncing ball whose frames lie at uneven times, which the file states: drawn by closed forms, and of
// shared cases where these are at hand. Counted as even, gravity comes out a fifth or more off.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

import { FIELD_OF_VIEW, filmed, found, G, HEIGHT, RADIUS, RATE, RESTITUTION, SPEED } from './support/drawn-ball.ts';

const SEED = seedOfRun('uneven films');
const random = randomNumbers(SEED);

/** Height of the ball's lowest point above the floor, m, at a time, s. */
function heightAt(time: number): number {
  let [from, up] = [Math.sqrt((2 * HEIGHT) / G), RESTITUTION * Math.sqrt(2 * G * HEIGHT)];
  if (time < from) return HEIGHT - (G * time * time) / 2;
  while (time > from + (2 * up) / G) [from, up] = [from + (2 * up) / G, RESTITUTION * up];
  return up * (time - from) - (G * (time - from) ** 2) / 2;
}

const placeAt = (time: number) => [SPEED * time, heightAt(time)] as const;

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
  it.each(films)('are found from a film %s', async (_, times) => {
    const { parameters, verdict } = await found(await filmed(times, placeAt), {
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
  it.skipIf(!isThere).each(['dropped.mp4', 'vfr.mp4'])('are found from %s', async (name) => {
    const { parameters, verdict } = await found(fileURLToPath(new URL(name, cases)), {
      radius: '0.1',
      fieldOfView: '40.107',
      chroma: 'centre',
    });
    const { gravity, restitution } = parameters;
    expect(verdict.trusted).toBe(true);
    expect(Math.abs(gravity.estimate - 9.81)).toBeLessThan(2 * gravity.standardError!);
    expect(Math.abs(restitution.estimate - 0.72)).toBeLessThan(2 * restitution.standardError!);
  });
});
