import { expect, it } from 'vitest';
import type { Motion } from '../../src/experiment/motion/motion.ts';
import { courseIn } from '../../src/track/course.ts';
import { courseSection } from '../../src/track/sections.ts';

/** Motion on a circle of 0.3 m about (1, 2), whose angle from straight down, rad, is given by time, s. */
function motionOn(angleAt: (t: number) => number, frames = 90): Motion {
  const seconds = Array.from({ length: frames }, (_, k) => k / 30);
  const [x, y] = [Math.sin, (a: number) => -Math.cos(a)].map((side, c) =>
    seconds.map((t) => 1 + c + 0.3 * side(angleAt(t))),
  );
  const off = seconds.map((_, k) => 1e-4 * Math.sin(7 * k * k));
  const none = seconds.map(() => null);
  const seen = { seenX: x.map((v, k) => v + off[k]), seenY: y.map((v, k) => v - off[k]) };
  return {
    seconds,
    x,
    y,
    ...seen,
    seenError: seconds.map(() => 1),
    speed: none,
    seenSpeed: none,
    energy: none,
    seenEnergy: none,
    gravity: 9.81,
  };
}
const none = { fit: [], start: {} };

it('courseIn counts the angle of what goes round over whole turns, either way', () => {
  for (const way of [1, -1]) {
    const { seen } = courseIn(
      motionOn((t) => way * (0.5 + 14 * t - 1.5 * t * t)),
      { ...none, turns: true, fit: ['angle = a + b t + c t^2'] },
    );
    const { value, standardError } = seen!.fits[0].parameters.find(({ name }) => name === 'c')!;
    expect(Math.abs(value - (way * -1.5 * 180) / Math.PI)).toBeLessThan(4 * standardError);
    expect(standardError).toBeLessThan(0.1);
  }
});

it('courseIn has energies of each kilogram without a mass, and of all of it with one', () => {
  const [perKilogram, whole] = [undefined, 3].map(
    (mass) => courseIn(motionOn(Math.cos), { ...none, mass }).seen!.motion.columns,
  );
  const of = (columns: typeof whole, name: string) => columns.find((column) => column.name === name)!;
  expect(of(perKilogram, 'kinetic').unit).toBe('J/kg');
  expect(of(whole, 'energy').unit).toBe('J');
  of(whole, 'energy').values.forEach((value, k) => {
    expect(value).toBeCloseTo(3 * of(perKilogram, 'energy').values[k], 9);
  });
});

it('courseIn has no energy of heights where the model has no gravity, as of what is seen from above', () => {
  const { seen } = courseIn({ ...motionOn(Math.cos), gravity: 0 }, none);
  const names = seen!.motion.columns.map(({ name }) => name);
  expect(names).toContain('kinetic');
  for (const name of ['height', 'potential', 'energy']) expect(names).not.toContain(name);
});

it('courseIn fits the right formulas beside wrong ones, and has no motion of too few points', () => {
  const fit = ['depth = a t', 'x = a + b t', 'height = a t +'];
  const { seen, wrong } = courseIn(motionOn(Math.cos), { ...none, fit });
  expect(seen!.fits.map(({ text }) => text)).toEqual(['x = a + b t']);
  expect(wrong.map(String)).toEqual([expect.stringContaining('no column depth'), expect.stringContaining('a t +')]);
  expect(courseIn(motionOn(Math.cos, 4), none)).toEqual({ wrong: [] });
});

it('courseIn finds the velocity right after a bounce, though the film places the ball badly in the frame of the bounce', () => {
  const [bounce, speed] = [0.505, 0.7];
  const seconds = Array.from({ length: 40 }, (_, k) => k / 30);
  const noise = seconds.map((_, k) => 2e-4 * Math.sin(5 * k * k));
  const x = seconds.map((t) => speed * t);
  const y = seconds.map((t) => (t < bounce ? 1.25 - 4.905 * t * t : 3.6 * (t - bounce) - 4.905 * (t - bounce) ** 2));
  const blurred = seconds.map((t) => Math.abs(t - bounce) < 1 / 60);
  const seenX = x.map((v, k) => v + noise[k] + (blurred[k] ? 0.02 : 0));
  const none = seconds.map(() => null);
  const of = {
    seconds,
    x,
    y,
    seenX,
    seenY: y.map((v, k) => v - noise[k]),
    seenError: blurred.map((b) => (b ? 100 : 1)),
  };
  const known = { ...of, speed: none, seenSpeed: none, energy: none, seenEnergy: none, gravity: 9.81 };
  const { columns } = courseIn(known, { fit: [], start: {} }).seen!.motion;
  const { values, errors } = columns.find(({ name }) => name === 'vx')!;
  values.forEach((value, k) => {
    expect(Math.abs(value - speed)).toBeLessThan(4 * errors[k]);
    if (!blurred[k]) expect(Math.abs(value - speed)).toBeLessThan(0.03);
  });
});

it('courseSection has the formula with its parameters, a graph of each column, and the table', () => {
  const { seen } = courseIn(motionOn(Math.cos), { ...none, turns: true, fit: ['x = a + b cos(w t)'], start: { w: 2 } });
  const { markup } = courseSection(seen!);
  expect(markup).toContain('x = a + b cos(w t)');
  // Of the formula and what it leaves, and of twelve columns and the angle.
  expect(markup.match(/<svg/g)).toHaveLength(2 + 13);
  expect(markup.match(/<tr>/g)!.length).toBeGreaterThan(90);
});
