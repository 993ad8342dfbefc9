import { randomNumbers, standardNormal } from '@gradsim/base';
import { expect, it } from 'vitest';
import { planeMotion, type SeenPoint } from '../../src/index.ts';
import { onAxes } from '../../src/motion/plane.ts';

const seed = Number(process.env.SEED ?? Date.now() % 1e6);
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

it('enlarges bars at a bounce, and names its points', () => {
  const points = seenOf((t) => [t, Math.abs(0.4 - t)], 0.1);
  const { isRough, times, columns } = planeMotion(points, { ...AXES, window: 9 });
  const rough = times.filter((_, k) => isRough[k]);
  expect(rough.length).toBeGreaterThan(2);
  for (const time of rough) expect(Math.abs(time - 0.4)).toBeLessThan(0.12);
  const { errors } = columns.find(({ name }) => name === 'vy')!;
  expect(Math.max(...errors)).toBeGreaterThan(4 * errors[2]);
});

it('refuses too few points, and windows that are none', () => {
  const points = seenOf((t) => [t, t], 0.1);
  expect(() => planeMotion(points.slice(0, 6), AXES)).toThrowCode('film/track-too-short');
  expect(() => planeMotion(points, { ...AXES, window: 8 })).toThrowCode('film/option-out-of-range');
  expect(() => planeMotion(points, { ...AXES, mass: 0 })).toThrowCode('film/option-out-of-range');
  expect(() => planeMotion(points, { ...AXES, pixelsPerMetre: Number.NaN })).toThrowCode('film/option-out-of-range');
});
