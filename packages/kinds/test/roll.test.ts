// Films of a ball that rolls, drawn by the closed form of a constant acceleration.

import { filmCamera } from '@gradsim/film';
import { LookAtCamera } from '@gradsim/render';
import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

import { roll } from '../src/index.ts';
import { evenTimes, filmed, found, SIZE } from './support/films.ts';

const random = randomNumbers(seedOfRun('balls that roll'));
const between = (low: number, high: number): number => low + (high - low) * random();

const [RADIUS, AWAY, FIELD_OF_VIEW, G] = [0.04, 2.2, 40, 9.81];
const PIXELS = SIZE.height / 2 / Math.tan((FIELD_OF_VIEW * Math.PI) / 360) / AWAY;
const ANGLE = between(0.17, 0.25);
const FACTOR = between(0.4, 0.7);
const FRICTION = between(0.004, 0.008);
const SIDE = random() < 0.5 ? -1 : 1;
const ACCELERATION = (G * (Math.sin(ANGLE) - FRICTION * Math.cos(ANGLE))) / (1 + FACTOR);
const BRAKES = (G * (Math.sin(ANGLE) + FRICTION * Math.cos(ANGLE))) / (1 + FACTOR);

/** Way downhill, m, of a ball that comes from a speed, m/s: where that is uphill, friction turns with it. */
function wayOf(speed: number, t: number): number {
  const turns = Math.max(0, -speed / BRAKES);
  if (t < turns) return speed * t + (BRAKES * t * t) / 2;
  return speed * turns + (BRAKES * turns * turns) / 2 + Math.max(speed, 0) * t + (ACCELERATION * (t - turns) ** 2) / 2;
}

/** Film of a ball that rolls down from a speed, m/s, or up at first and back. */
const filmOf = (from: 'downhill' | 'uphill'): Promise<Uint8Array> => {
  const [speed, seconds] = from === 'downhill' ? [0.3, 1.1] : [-0.9 * BRAKES, 1.8];
  const ways = evenTimes(seconds).map((t) => wayOf(speed, t));
  const middle = (Math.min(...ways) + Math.max(...ways)) / 2;
  const at = (t: number): readonly [number, number] => {
    const along = PIXELS * (wayOf(speed, t) - middle);
    return [SIZE.width / 2 + SIDE * along * Math.cos(ANGLE), SIZE.height / 2 + along * Math.sin(ANGLE)];
  };
  return filmed(evenTimes(seconds), { radius: RADIUS * PIXELS, at });
};
const known = {
  radius: `${RADIUS}`,
  fieldOfView: `${FIELD_OF_VIEW}`,
  chroma: 'centre',
  angle: `${(180 / Math.PI) * ANGLE}`,
  angleTolerance: '0.2',
  // A metre, marked beside.
  ends: [20, 20, 20 + PIXELS, 20].join(),
  span: '1',
};

describe('from a film of a ball that rolls', () => {
  const cases = [
    ['factor', FACTOR, 'downhill', { friction: `${FRICTION}` }, 0.2],
    ['factor', FACTOR, 'downhill', { friction: `${FRICTION}`, angle: 'null' }, 0.2],
    ['gravity', G, 'downhill', { friction: `${FRICTION}`, factor: `${FACTOR}`, gravity: 'null' }, 0.08],
    ['rolling friction', FRICTION, 'uphill', { factor: `${FACTOR}`, lengthTolerance: '0' }, 0.4],
  ] as const;
  it.each(cases)('%s, truly %d, is found where it rolls %s at first', async (name, truth, way, set, most) => {
    const { parameters, derived, verdict } = await found(roll, await filmOf(way), { ...known, ...set });
    const { estimate, standardError } = parameters[name];
    console.info(
      JSON.stringify({ name, truth, found: parameters[name], acceleration: derived!.acceleration, ACCELERATION }),
    );
    expect(verdict.findings.filter(({ isCritical }) => isCritical)).toEqual([]);
    expect(Math.abs(estimate - truth)).toBeLessThan(4 * standardError!);
    expect(standardError! / truth).toBeLessThan(most);
    const { acceleration } = derived!;
    const first = way === 'uphill' ? BRAKES : ACCELERATION;
    expect(Math.abs(acceleration.estimate - first)).toBeLessThan(4 * acceleration.standardError!);
    expect(acceleration.standardError! / ACCELERATION).toBeLessThan(0.06);
  });
});

it('a ball that rolls of which neither factor nor gravity is known is refused before its film is compared', async () => {
  await expect(found(roll, await filmOf('downhill'), { ...known, gravity: 'null' })).rejects.toThrowCode({
    code: 'kinds/one-of-two',
    field: 'factor',
  });
});

// A placed camera looks down on an incline that descends away from it, and so seems to rise.
it('the factor is found of a ball whose way descends and seems to rise in the picture', async () => {
  const [eye, target, turn] = [[-0.5, 1, 1.6], [0, 0.2, 0], 0.5];
  const camera = await filmCamera(LookAtCamera, { eye, target, fieldOfView: (FIELD_OF_VIEW * Math.PI) / 180 }, SIZE);
  const placeAt = (t: number): number[] => {
    const way = wayOf(0.2, t) - 0.3;
    const level = way * Math.cos(ANGLE);
    return [level * Math.cos(turn), 0.2 - way * Math.sin(ANGLE), -level * Math.sin(turn)];
  };
  const distance = (t: number): number => Math.hypot(...placeAt(t).map((c, k) => c - eye[k]));
  const focal = SIZE.height / 2 / Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
  const at = (t: number): readonly [number, number] => camera.project(placeAt(t));
  expect(at(1)[1]).toBeLessThan(at(0)[1] - 5);
  const video = await filmed(evenTimes(1), { radius: (t) => (RADIUS * focal) / distance(t), at });
  const { ends: _, span: __, ...measured } = known;
  const placed = { eye: eye.join(), target: target.join(), friction: `${FRICTION}` };
  const { parameters, verdict } = await found(roll, video, { ...measured, ...placed });
  const { estimate, standardError } = parameters.factor;
  console.info(JSON.stringify({ FACTOR, estimate, standardError }));
  expect(verdict.findings.filter(({ isCritical }) => isCritical)).toEqual([]);
  expect(Math.abs(estimate - FACTOR)).toBeLessThan(4 * standardError!);
});
