// Films of a uniform rod that swings about a nail, drawn by its equation of motion in small steps.

import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

import { once } from '../../../scripts/vitest/once.ts';
import { rod } from '../src/index.ts';
import { emptyScene, evenTimes, filmed, found, SIZE } from './support/films.ts';

const random = randomNumbers(seedOfRun('rods'));
const between = (low: number, high: number): number => low + (high - low) * random();

const [G, PIXELS, SECONDS, STEP] = [9.81, 230, 2.2, 1e-4];
/** Length of the rod, m, and distance of the nail from its middle: at its end, or on its way there. */
const ROD = between(0.5, 0.65);
const LENGTH = ROD * between(0.35, 0.5);
const GYRATION = ROD / Math.sqrt(12);
const DAMPING = between(0.05, 0.2);
const WIDTH = 5;

/** Angles from straight down, rad: a" = -g l / (l^2 + k^2) sin a - 2 c a', by the midpoint rule. */
const angles: number[] = [];
for (let [a, w] = [between(0.5, 0.9), between(-0.5, 0.5)]; angles.length * STEP < SECONDS + 0.1; ) {
  angles.push(a);
  const rate = (angle: number, speed: number): number =>
    ((-G * LENGTH) / (LENGTH ** 2 + GYRATION ** 2)) * Math.sin(angle) - 2 * DAMPING * speed;
  const [middle, half] = [a + (STEP / 2) * w, w + (STEP / 2) * rate(a, w)];
  a += STEP * half;
  w += STEP * rate(middle, half);
}
const angleAt = (t: number): number => angles[Math.round(t / STEP)];
const PIVOT = [SIZE.width / 2, 60] as const;
const film = once(() =>
  filmed(evenTimes(SECONDS), {
    radius: WIDTH,
    bar: { half: (PIXELS * ROD) / 2, angle: angleAt },
    at: (t) => [PIVOT[0] + PIXELS * LENGTH * Math.sin(angleAt(t)), PIVOT[1] + PIXELS * LENGTH * Math.cos(angleAt(t))],
  }),
);
const set = {
  background: await emptyScene(),
  length: `${LENGTH}`,
  ends: `20,30,20,${30 + 0.8 * PIXELS}`,
  span: '0.8',
  fieldOfView: '40',
  chroma: 'centre',
  lengthTolerance: '0.002',
};

describe('from a film of a rod that swings', () => {
  const cases = [
    ['radius of gyration', GYRATION, {}],
    ['gravity', G, { gyration: `${GYRATION}`, gravity: 'null' }],
  ] as const;
  it.each(cases)('%s, truly %d, and damping are found', async (name, truth, known) => {
    const { parameters, derived, verdict } = await found(rod, await film(), { ...set, ...known });
    const { estimate, standardError } = parameters[name];
    console.info(JSON.stringify({ name, truth, found: parameters[name], damping: parameters.damping }));
    expect(verdict.findings.filter(({ isCritical }) => isCritical)).toEqual([]);
    expect(Math.abs(estimate - truth)).toBeLessThan(4 * standardError!);
    expect(standardError! / truth).toBeLessThan(0.04);
    const inertia = derived!['inertia about the pivot over mass'];
    expect(Math.abs(inertia.estimate - LENGTH ** 2 - GYRATION ** 2)).toBeLessThan(4 * inertia.standardError!);
    expect(Math.abs(parameters.damping.estimate - DAMPING)).toBeLessThan(4 * parameters.damping.standardError!);
  });
});

it('gravity by the inertia of a point is questioned', async () => {
  const { verdict } = await found(rod, await film(), { ...set, gyration: '0.001', gravity: 'null' });
  expect(verdict.trusted).toBe(false);
  expect(verdict.findings.map(({ kind }) => kind)).toContain('unusual');
});

it('the inertia of a thin rod that swings fast across the plane of the picture, blurred, is found', async () => {
  // A pinhole camera with the field of view of the film, level, before the nail; the plane of the swing is turned about the vertical.
  const FOCAL = SIZE.height / 2 / Math.tan((20 * Math.PI) / 180);
  const TURN = between(0.2, 0.3);
  const THIN = 0.009;
  /** Pixel of the point of the rod at a distance below the nail and to its side, m. */
  const seenAt = (t: number, below: number, aside: number): [number, number] => {
    const [sine, cosine] = [Math.sin(angleAt(t)), Math.cos(angleAt(t))];
    const [across, down] = [below * sine + aside * cosine, below * cosine - aside * sine];
    const near = FOCAL / (FOCAL / PIXELS - across * Math.sin(TURN));
    return [
      SIZE.width / 2 + near * across * Math.cos(TURN),
      SIZE.height / 2 + near * ((PIVOT[1] - SIZE.height / 2) / PIXELS + down),
    ];
  };
  const [top, bottom] = [LENGTH - ROD / 2, LENGTH + ROD / 2];
  const corners = (t: number): [number, number][] => [
    seenAt(t, top, -THIN),
    seenAt(t, top, THIN),
    seenAt(t, bottom, THIN),
    seenAt(t, bottom, -THIN),
  ];
  // The length is marked in the plane of the swing, below the nail.
  const ends = `${PIVOT[0]},30,${PIVOT[0]},${30 + 0.8 * PIXELS}`;
  const video = await filmed(evenTimes(SECONDS), { corners, shutter: 0.6 });
  const { parameters, verdict } = await found(rod, video, { ...set, ends });
  const { estimate, standardError } = parameters['radius of gyration'];
  console.info(JSON.stringify({ TURN, GYRATION, DAMPING, parameters }));
  expect(verdict.findings.filter(({ isCritical }) => isCritical)).toEqual([]);
  expect(Math.abs(estimate - GYRATION)).toBeLessThan(3 * standardError!);
  expect(standardError! / GYRATION).toBeLessThan(0.02);
  expect(Math.abs(parameters['turn of the plane'].estimate + TURN)).toBeLessThan(0.1);
});
