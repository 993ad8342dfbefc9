// Films of a mark on a disc that slows down, drawn by its equation of motion in small steps.

import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

import { spin } from '../src/index.ts';
import { evenTimes, filmed, found, SIZE } from './support/films.ts';

const random = randomNumbers(seedOfRun('spins'));
const between = (low: number, high: number): number => low + (high - low) * random();

const [STEP, AROUND, SECONDS, FIELD_OF_VIEW] = [1e-4, 0.22, 3, 40];
const FOCAL = SIZE.height / 2 / Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
const WAY = random() < 0.5 ? 1 : -1;

/** Angle of a mark by time, rad: w' = -(a + b w + c w^2), by the midpoint rule, until it rests. */
function angleOf(w0: number, [a, b, c]: readonly number[]): (t: number) => number {
  const angles: number[] = [];
  const brake = (w: number): number => (w > 0 ? a + b * w + c * w * w : 0);
  for (let [angle, w] = [between(-3, 3), w0]; angles.length * STEP < SECONDS + 0.1; ) {
    angles.push(WAY * angle);
    const half = Math.max(0, w - (STEP / 2) * brake(w));
    angle += STEP * half;
    w = Math.max(0, w - STEP * brake(half));
  }
  return (t) => angles[Math.round(t / STEP)];
}

/** Film of a mark on a disc whose plane is turned by an angle from that of the picture about the vertical. */
const filmOf = (angle: (t: number) => number, tilt = 0): Promise<Uint8Array> =>
  filmed(evenTimes(SECONDS), {
    radius: 9,
    at: (t) => {
      const depth = 1 - AROUND * Math.sin(tilt) * Math.cos(angle(t));
      return [
        SIZE.width / 2 + (FOCAL * AROUND * Math.cos(tilt) * Math.cos(angle(t))) / depth,
        SIZE.height / 2 - (FOCAL * AROUND * Math.sin(angle(t))) / depth,
      ];
    },
  });
const known = { fieldOfView: `${FIELD_OF_VIEW}`, chroma: 'centre', radius: `${AROUND}` };

describe('from a film of a mark on a disc that slows down', () => {
  const cases = [
    ['dry friction that stops it', 8, [between(3, 4), 0, 0], { viscous: '0', air: '0' }],
    ['viscous friction', 12, [0, between(0.3, 0.6), 0], { dry: '0', air: '0' }],
    ['dry friction and air', 14, [between(0.8, 1.2), 0, between(0.02, 0.04)], { viscous: '0' }],
    ['all three', 14, [between(0.8, 1.2), between(0.1, 0.2), between(0.02, 0.03)], {}],
  ] as const;
  it.each(cases)('%s is found, from the first angular velocity %d on', async (_, w0, terms, set) => {
    const film = await filmOf(angleOf(w0, terms), between(0, 0.15));
    const { parameters, derived, verdict } = await found(spin, film, { ...known, ...set });
    console.info(JSON.stringify({ w0, terms, parameters, derived }));
    expect(verdict.findings.filter(({ isCritical }) => isCritical)).toEqual([]);
    const off = (told: { estimate: number; standardError: number | null }, truth: number): number =>
      Math.abs(told.estimate - truth) / told.standardError!;
    (['dry friction', 'viscous friction', 'air friction'] as const).forEach((name, k) => {
      if (parameters[name]) expect(off(parameters[name], terms[k]), name).toBeLessThan(4);
    });
    expect(off(parameters['angular velocity'], WAY * w0)).toBeLessThan(4);
    const brakes = terms[0] + terms[1] * w0 + terms[2] * w0 * w0;
    expect(off(derived!.deceleration, brakes)).toBeLessThan(4);
    expect(derived!.deceleration.standardError! / brakes).toBeLessThan(0.05);
  });
});

it('a disc that is driven, and does not slow down, is refused', async () => {
  const even = await filmOf((t) => 6 * t);
  await expect(found(spin, even, known)).rejects.toThrowCode({ code: 'film/not-seen' });
});
