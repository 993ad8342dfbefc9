import { standardNormal } from '@gradsim/base';
import { expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import { planeMotion, type SeenPoint } from '../../src/index.ts';
import { onAxes } from '../../src/motion/plane.ts';

const seed = seedOfRun('motions');
const SCALE = 400;
const AXES = { pixelsPerMetre: SCALE, origin: [100, 460], angle: 0 } as const;

/** Points of a motion x(t), y(t), m, seen with noise, px, at uneven times. */
function seenOf(of: (t: number) => readonly [number, number], noise: number, count = 60): SeenPoint[] {
  const random = randomNumbers(seed);
  return Array.from({ length: count }, (_, k) => k)
    .filter((k) => k % 11 !== 5)
    .map((frame) => {
      const time = (frame + 0.3 * Math.sin(frame)) / 60;
      const [x, y] = of(time);
      return {
        frame,
        time,
        x: 100 + SCALE * x + noise * standardNormal(random),
        y: 460 - SCALE * y + noise * standardNormal(random),
        error: noise,
        isMark: false,
      };
    });
}

const column = ({ columns }: ReturnType<typeof planeMotion>, name: string) => columns.find((own) => own.name === name)!;

it('onAxes turns and shifts the picture to the axes, y upwards', () => {
  expect(onAxes(AXES, [500, 60])).toEqual([1, 1]);
  const [x, y] = onAxes({ ...AXES, angle: 90 }, [500, 60]);
  expect(x).toBeCloseTo(1, 12);
  expect(y).toBeCloseTo(-1, 12);
});

it(`of a throw finds velocity, acceleration and energy within their bars, seed ${seed}`, () => {
  // x = 1.2 t, y = 0.5 + 3 t - 4.905 t^2: a cubic, so that only noise is left.
  const points = seenOf((t) => [1.2 * t, 0.5 + 3 * t - 4.905 * t ** 2], 0.3);
  const motion = planeMotion(points, { ...AXES, mass: 0.2 });
  const truth: Record<string, (t: number) => number> = {
    vx: () => 1.2,
    vy: (t) => 3 - 9.81 * t,
    ax: () => 0,
    ay: () => -9.81,
    speed: (t) => Math.hypot(1.2, 3 - 9.81 * t),
    kinetic: (t) => 0.1 * (1.44 + (3 - 9.81 * t) ** 2),
    energy: () => 0.1 * (1.44 + 9) + 0.2 * 9.81 * 0.5,
  };
  for (const [name, of] of Object.entries(truth)) {
    const { values, errors } = column(motion, name);
    const off = values.map((value, k) => (value - of(motion.times[k])) / errors[k]);
    // Bars of one point; neighbours share theirs, so that few are independent.
    expect(Math.max(...off.map(Math.abs)), name).toBeLessThan(5.5);
    expect(Math.sqrt(off.reduce((sum, v) => sum + v * v, 0) / off.length), name).toBeLessThan(2.5);
    expect(Math.max(...errors), name).toBeGreaterThan(0);
  }
  expect(motion.isRough.filter((own) => own).length).toBeLessThan(3);
});

it('bars of accelerations are those that many repetitions show', () => {
  const random = randomNumbers(7);
  const clean = seenOf((t) => [0, -4.905 * t ** 2], 0, 41);
  const found = Array.from({ length: 400 }, () => {
    const points = clean.map((point) => ({ ...point, y: point.y + 0.5 * standardNormal(random), error: 0.5 }));
    const { values, errors } = column(planeMotion(points, { ...AXES, window: 15 }), 'ay');
    return { value: values[18], error: errors[18] };
  });
  const mean = found.reduce((sum, { value }) => sum + value, 0) / found.length;
  const scatter = Math.sqrt(found.reduce((sum, { value }) => sum + (value - mean) ** 2, 0) / (found.length - 1));
  const bar = found.reduce((sum, { error }) => sum + error, 0) / found.length;
  // Bars count what is more than noise by chance, so that they are somewhat larger: never smaller.
  expect(bar / scatter).toBeGreaterThan(0.9);
  expect(bar / scatter).toBeLessThan(1.4);
});

it('chooses narrower windows for a quick oscillation, whose amplitude of acceleration it keeps', () => {
  const w = 6;
  const points = seenOf((t) => [0.1 * Math.cos(w * t), 0.3], 0.1, 120);
  const motion = planeMotion(points, AXES);
  expect(motion.window).toBeLessThan(45);
  const { values, errors } = column(motion, 'ax');
  const off = values.map((value, k) => Math.abs(value + 0.1 * w * w * Math.cos(w * motion.times[k])) / errors[k]);
  expect(off.sort((a, b) => a - b)[Math.floor(0.9 * off.length)]).toBeLessThan(4);
});

/** Height of a ball that falls from `height`, m, and bounces, and its velocity. */
function bounce(t: number, height: number, restitution: number): readonly [y: number, v: number] {
  let [left, speed] = [t - Math.sqrt((2 * height) / 9.81), Math.sqrt(2 * 9.81 * height)];
  if (left < 0) return [height - 4.905 * t ** 2, -9.81 * t];
  for (speed *= restitution; left > (2 * speed) / 9.81; speed *= restitution) left -= (2 * speed) / 9.81;
  return [speed * left - 4.905 * left ** 2, speed - 9.81 * left];
}

it.each([
  [0.75, 0.1],
  [0.85, 0.5],
  [0.7, 0.02],
])(
  `differentiates on one side of a bounce, bars hold beside it, restitution %s, noise %s px, seed ${seed}`,
  (e, noise) => {
    const points = seenOf((t) => [0.4 * t, bounce(t, 1, e)[0]], noise, 100);
    const motion = planeMotion(points, AXES);
    // A point at the contact belongs to either side.
    const nearest = (v: number, time: number): number =>
      Math.min(...[-0.001, 0, 0.001].map((shift) => Math.abs(v - bounce(time + shift, 1, e)[1])));
    const { values, errors } = column(motion, 'vy');
    const off = values.flatMap((v, k) => (Number.isFinite(errors[k]) ? [nearest(v, motion.times[k]) / errors[k]] : []));
    expect(values.length - off.length).toBeLessThan(3);
    expect(Math.max(...off.map(Math.abs))).toBeLessThan(5.5);
    const ay = column(motion, 'ay');
    expect(Math.max(...ay.values.flatMap((v, k) => Math.abs(v + 9.81) / ay.errors[k] || []))).toBeLessThan(5.5);
    expect(motion.jumps.length).toBeGreaterThan(1);
  },
);

it(`of smooth motions, however quick, of outliers and of rest no velocity jumps, seed ${seed}`, () => {
  const smooth: readonly ((t: number) => readonly [number, number])[] = [
    (t) => [0.2 * Math.cos(20 * t), 0.1 * Math.sin(30 * t)],
    (t) => [0.3 * Math.sin(1.4 * Math.sin(20 * t)), 0.3 - 0.3 * Math.cos(1.4 * Math.sin(20 * t))],
    // Friction brings it to rest: the acceleration jumps, and the velocity does not.
    (t) => [t < 0.5 ? t - t ** 2 : 0.25, 0],
    () => [0.2, 0.3],
  ];
  for (const of of smooth)
    for (const noise of [0.02, 0.3]) {
      const points = seenOf(of, noise, 90);
      expect(planeMotion(points, AXES).jumps).toEqual([]);
      if (smooth.indexOf(of) < 2) continue;
      const wrong = points.map((point, k) => (k === 40 ? { ...point, x: point.x + 30 } : point));
      expect(planeMotion(wrong, AXES).jumps).toEqual([]);
    }
});

it('refuses too few points, and windows that are none', () => {
  const points = seenOf((t) => [t, t], 0.1);
  expect(() => planeMotion(points.slice(0, 6), AXES)).toThrowCode('film/track-too-short');
  expect(() => planeMotion(points, { ...AXES, window: 8 })).toThrowCode('film/option-out-of-range');
  expect(() => planeMotion(points, { ...AXES, mass: 0 })).toThrowCode('film/option-out-of-range');
  expect(() => planeMotion(points, { ...AXES, pixelsPerMetre: Number.NaN })).toThrowCode('film/option-out-of-range');
});
