// The kind that a page begins with, by drawn films of each motion, of round and of long things.
import { describe, expect, it } from 'vitest';
import { ball, filmOf, likelyKind, measuredOf } from '../src/index.ts';
import { emptyScene, evenTimes, filmed, SIZE } from './support/films.ts';

type Place = readonly [number, number];
const [middle, PIXELS, G] = [SIZE.width / 2, 150, 9.81];
const swing = (t: number): number => 0.6 * Math.cos(Math.sqrt(G / 0.6) * t);
const along =
  (slope: number) =>
  (t: number): Place => [50 + 60 * t + 75 * t * t, 60 + slope * (60 * t + 75 * t * t)];
/** Places along a line, of two things that touch at 0.7 s and part with exchanged speeds. */
const meets = (from: number, before: number, after: number) => (t: number) =>
  [from + before * Math.min(t, 0.7) + after * Math.max(0, t - 0.7), 120] as const;
const still = (angle: number) => (): number => angle;
const BAR = { radius: 6, half: 18 };

/** Ends of a rod that swings, whose lower end fades where it is fast. */
const hanging = (t: number): Place[] => {
  const far = (Math.abs(swing(t)) < 0.15 ? 0.7 : 0.8) * PIXELS;
  return [
    [middle, 40],
    [middle + far * Math.sin(swing(t)), 40 + far * Math.cos(swing(t))],
  ];
};

const films = {
  roll: [1.1, { radius: 12, at: along(0.25) }],
  cart: [1.1, { radius: BAR.radius, bar: { half: BAR.half, angle: still(Math.PI / 2) }, at: along(0) }],
  slide: [
    1.1,
    { radius: BAR.radius, bar: { half: BAR.half, angle: still(Math.PI / 2 - Math.atan(0.25)) }, at: along(0.25) },
  ],
  rod: [2, { radius: 3, line: hanging }],
  pendulum: [
    2,
    {
      radius: 12,
      at: (t: number): Place => [middle + 0.6 * PIXELS * Math.sin(swing(t)), 40 + 0.6 * PIXELS * Math.cos(swing(t))],
    },
  ],
  toss: [
    0.6,
    {
      radius: 5,
      bar: { half: 14, angle: (t: number) => 0.5 + 4 * t },
      at: (t: number): Place => [60 + 220 * t, 160 - PIXELS * (2.3 * t - (G * t * t) / 2)],
    },
  ],
  collision: [1.5, { radius: 14, at: meets(40, 160, 20) }, { radius: 11, at: meets(209, -40, 130) }],
} as const;

describe('a film is likely to be one of the kind', () => {
  it.each(Object.entries(films))('%s', async (kind, [seconds, ...things]) => {
    const video = await filmed(evenTimes(seconds), ...things);
    const set = { video: 'a.webm', radius: '0.1', chroma: 'centre', background: await emptyScene() };
    const film = await filmOf(measuredOf(ball, set) as never, { video, fileOf: (path) => path });
    expect(await likelyKind(film)).toBe(kind);
  });
});
