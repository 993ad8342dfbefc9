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
