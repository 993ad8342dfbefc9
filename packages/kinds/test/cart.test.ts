// Films of a cart on a track, a disc that is drawn by the closed form of its motion.

import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

import { cart } from '../src/index.ts';
import { evenTimes, filmed, found, SIZE } from './support/films.ts';

const random = randomNumbers(seedOfRun('carts'));
const between = (low: number, high: number): number => low + (high - low) * random();

const [G, RADIUS, SECONDS] = [9.81, 7, 1.6];
const PIXELS = between(120, 160);
const SIDE = random() < 0.5 ? -1 : 1;
const ANGLE = between(0.05, 0.08);
const FRICTION = between(0.01, 0.02);
const PULL = between(0.5, 0.9);
const DOWN = G * (Math.sin(ANGLE) - FRICTION * Math.cos(ANGLE));
const UP = G * (Math.sin(ANGLE) + FRICTION * Math.cos(ANGLE));

/** Way, m, from a speed, m/s, with an acceleration that is another before it turns. */
function wayOf(speed: number, before: number, after: number, t: number): number {
  const turn = speed < 0 ? -speed / before : 0;
  if (t < turn) return speed * t + (before * t * t) / 2;
  return speed * turn + (before * turn * turn) / 2 + Math.max(speed, 0) * t + (after * (t - turn) ** 2) / 2;
}

/** Film of a way along a line that points down by an angle, rad, with a mark of a metre along it. */
async function film(tilt: number, seconds: number, way: (t: number) => number) {
  const ways = evenTimes(seconds).map(way);
  const middle = (Math.min(...ways) + Math.max(...ways)) / 2;
  const at = (along: number): readonly [number, number] => [
    SIZE.width / 2 + SIDE * PIXELS * along * Math.cos(tilt),
    SIZE.height / 2 + PIXELS * along * Math.sin(tilt),
  ];
  const video = await filmed(evenTimes(seconds), { radius: RADIUS, at: (t) => at(way(t) - middle) });
  const ends = [at(-0.5), at(0.5)].flat().map((c, k) => c + (k % 2 === 1 ? 10 : 0));
  return { video, marks: { ends: ends.join(','), span: '1', fieldOfView: '40', chroma: 'centre' } };
}

const known = { angleTolerance: '0.1', lengthTolerance: '0.002' };
const angle = `${(180 / Math.PI) * ANGLE}`;
const BRAKE = FRICTION * G;

type Case = readonly [
  name: string,
  truth: number,
  what: string,
  make: () => ReturnType<typeof film>,
  set: Readonly<Record<string, string>>,
  most: number,
];

describe('from a film of a cart', () => {
  const cases: readonly Case[] = [
    ['acceleration', PULL, 'a force pulls', () => film(0, SECONDS, (t) => wayOf(0.2, PULL, PULL, t)), {}, 0.05],
    ['acceleration', -BRAKE, 'friction brakes', () => film(0, SECONDS, (t) => 0.6 * t - (BRAKE * t * t) / 2), {}, 0.3],
    [
      'friction',
      FRICTION,
      'a slope drives',
      () => film(ANGLE, SECONDS, (t) => wayOf(0.2, UP, DOWN, t)),
      { angle },
      0.3,
    ],
    ['friction', FRICTION, 'a slope turns back', () => film(ANGLE, 2.4, (t) => wayOf(-1.2 * UP, UP, DOWN, t)), {}, 0.3],
  ];
  it.each(cases)('%s, truly %d, is found where %s it', async (name, truth, _, make, set, most) => {
    const { video, marks } = await make();
    const { parameters, verdict } = await found(cart, video, { ...marks, ...known, ...set });
    const { estimate, standardError } = parameters[name];
    console.info(JSON.stringify({ name, truth, found: parameters[name] }));
    expect(verdict.findings.filter(({ isCritical }) => isCritical)).toEqual([]);
    expect(Math.abs(estimate - truth)).toBeLessThan(4 * standardError!);
    expect(standardError! / Math.abs(truth)).toBeLessThan(most);
  });

  it('the acceleration is found of a cart of which one end face is in view, and then the other', async () => {
    const [focal, away, half, high, depth] = [SIZE.height / 2 / Math.tan(Math.PI / 9), 1.5, 0.08, 0.03, 0.1];
    const pulled = between(0.2, 0.3);
    const way = (t: number): number => SIDE * (0.45 * t + (pulled * t * t) / 2 - 0.55);
    const corners = (t: number): [number, number][] => {
      const [left, right] = [way(t) - half, way(t) + half];
      // An end lies behind the front where the camera, before the middle of the picture, sees that far.
      const [from, to] = [left > 0 ? away + depth : away, right < 0 ? away + depth : away];
      const seen = [
        ...[[left, -high, from], ...(left > 0 ? [[left, -high, away]] : [])],
        ...[...(right < 0 ? [[right, -high, away]] : []), [right, -high, to]],
        ...[[right, high, to], ...(right < 0 ? [[right, high, away]] : [])],
        ...[...(left > 0 ? [[left, high, away]] : []), [left, high, from]],
      ];
      return seen.map(([x, y, z]) => [SIZE.width / 2 + (focal * x) / z, SIZE.height / 2 + (focal * y) / z]);
    };
    const video = await filmed(evenTimes(1.7), { corners, shutter: 0.25 });
    const ends = [-0.5, 0.5].flatMap((x) => [SIZE.width / 2 + (focal * x) / away, 140]);
    const marks = { ends: ends.join(','), span: '1', fieldOfView: '40', chroma: 'centre' };
    const { parameters, verdict } = await found(cart, video, { ...marks, ...known });
    const { acceleration } = parameters;
    console.info(JSON.stringify({ pulled, acceleration, depth: parameters.depth }));
    expect(verdict.findings.filter(({ isCritical }) => isCritical)).toEqual([]);
    expect(Math.abs(acceleration.estimate - pulled)).toBeLessThan(3 * acceleration.standardError!);
    expect(Math.abs(acceleration.estimate - pulled)).toBeLessThan(0.04 * pulled);
    expect(Math.abs(parameters.depth.estimate - depth)).toBeLessThan(3 * parameters.depth.standardError!);
  });

  it('friction that no cart on wheels has is questioned, and the kind of a box that slides named', async () => {
    const [tilt, friction] = [0.3, 0.2];
    const gains = G * (Math.sin(tilt) - friction * Math.cos(tilt));
    const { video, marks } = await film(tilt, SECONDS / 2, (t) => 0.2 * t + (gains * t * t) / 2);
    const { verdict } = await found(cart, video, { ...marks, ...known, angle: `${(180 / Math.PI) * tilt}` });
    expect(verdict.findings).toContainEqual(
      expect.objectContaining({
        isCritical: true,
        note: expect.stringMatching(/^friction is 0\.2.*gradsim new slide/),
      }),
    );
  });
});
