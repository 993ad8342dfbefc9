import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { drawAround, drawBeside, drawStarts } from '../../src/search/starting-points.ts';
import { Unknowns } from '../../src/unknowns/unknowns.ts';
import { drag, gravity, motesModel, RUN, vx } from '../motes.ts';

const model = motesModel();
describe('starts', () => {
  const unknowns = new Unknowns({
    model,
    ...RUN,
    parameters: [gravity, { ...drag, transform: 'bounded', initial: 1 }, vx],
  });
  it('begin with the initial values and cover the ranges evenly, reproducibly for one seed', () => {
    const starts = drawStarts(unknowns, 257, randomNumbers(seedOfRun('starts', 4)));
    expect([...starts[0]]).toEqual([...unknowns.initial()]);
    const drawn = starts.slice(1).map((x) => unknowns.values(x));
    // 256 points in 8 equal parts of each range: about 32 each.
    [
      [-20, -1],
      [0.05 + 0.02 * 4.95, 5 - 0.02 * 4.95],
    ].forEach(([low, high], k) => {
      const counts = new Array<number>(8).fill(0);
      for (const values of drawn) counts[Math.floor((8 * (values[k] - low)) / (high - low))]++;
      for (const count of counts) expect(Math.abs(count - 32)).toBeLessThanOrEqual(10);
    });
    // Without a range nothing is drawn.
    for (const values of drawn) expect(values[2]).toBe(vx.initial);
    expect(drawStarts(unknowns, 257, randomNumbers(4))).toEqual(starts);
  });
});

describe('starts of an array', () => {
  it('are drawn from its range, each value independently, and the first is the given one', () => {
    const velocity = { name: 'v', field: 'motes.velocity', initial: 0.5, range: [-2, 6] } as const;
    const unknowns = new Unknowns({ model, ...RUN, arrays: [velocity] });
    const starts = drawStarts(unknowns, 401, randomNumbers(seedOfRun('array', 4)));
    expect([...starts[0]]).toEqual(Array(6).fill(0.5));
    for (let k = 0; k < 6; k++) {
      const own = starts.slice(1).map((x) => x[k]);
      // 400 uniform draws over a range of 8: the mean scatters by 8 / sqrt(12 * 400) = 0.12.
      expect(Math.abs(own.reduce((a, b) => a + b) / 400 - 2)).toBeLessThan(0.5);
      expect(Math.min(...own)).toBeLessThan(-1.8);
      expect(Math.max(...own)).toBeGreaterThan(5.8);
      expect(own.every((x) => x >= -2 && x <= 6)).toBe(true);
    }
    expect(starts[1][0]).not.toBe(starts[1][1]);
  });
});

describe('points around a minimum that was found', () => {
  it('are close along steep directions and cover the range along flat ones', () => {
    const unknowns = new Unknowns({ model, ...RUN, parameters: [gravity, drag] });
    const x = unknowns.initial();
    // Steep along gravity: its standard deviation, where the loss doubles, is sqrt(1e-4 / 1) = 0.01.
    const points = drawAround(
      unknowns,
      { x, loss: 1e-4, hessian: Float64Array.of(1, 0, 0, 0) },
      400,
      randomNumbers(seedOfRun('around', 9)),
    );
    const off = (k: number) => points.map((p) => Math.abs(p[k] - x[k])).sort((a, b) => a - b);
    // Factors from 1/30 to 30, so half of the points are within about one deviation, all within 30 of 5 sigma.
    expect(off(0)[200]).toBeGreaterThan(0.002);
    expect(off(0)[200]).toBeLessThan(0.05);
    expect(off(0)[399]).toBeLessThan(0.01 * 30 * 5);
    const [low, high] = unknowns.bounds()[1];
    const along = points.map((p) => (p[1] - low) / (high - low));
    for (const share of along) expect(share >= 0 && share <= 1).toBe(true);
    for (const third of [0, 1, 2]) expect(along.filter((s) => Math.floor(3 * s) === third).length).toBeGreaterThan(80);
  });
});

describe('points beside the end of a search', () => {
  const unknowns = new Unknowns({
    model,
    ...RUN,
    parameters: [gravity, { ...drag, transform: 'identity', initial: 1 }],
  });
  const x = unknowns.initial();
  const widths = unknowns.bounds().map(([low, high]) => high - low);
  /** Points beside an end with the given standard deviations (at which the loss doubles), relative to the ranges. */
  const besideWith = (deviations: readonly number[], misses: number) =>
    drawBeside(
      unknowns,
      {
        x,
        loss: 1e-4,
        hessian: Float64Array.of(
          1e-4 / (deviations[0] * widths[0]) ** 2,
          0,
          0,
          1e-4 / (deviations[1] * widths[1]) ** 2,
        ),
      },
      misses,
    );
  it('lie to both sides along the least determined direction, at 4 and 12 standard deviations, after a miss at 7 and 25', () => {
    const off = (misses: number) =>
      besideWith([1e-4, 1e-3], misses).map((p) => p.map((v, k) => (v - x[k]) / widths[k]));
    for (const [misses, distances] of [
      [0, [4, -4, 12, -12]],
      [1, [7, -7, 25, -25]],
    ] as const)
      off(misses).forEach((share, k) => {
        expect(share[0]).toBeCloseTo(0, 12);
        expect(Math.abs(share[1])).toBeCloseTo(1e-3 * Math.abs(distances[k]), 9);
        expect(share[1] * off(misses)[k ^ 1][1]).toBeLessThan(0);
      });
  });
  it('do not lie along directions whose standard deviation is as wide as the range', () => {
    expect(besideWith([1, 1], 0)).toEqual([]);
    const points = besideWith([1e-3, 1], 0);
    expect(points).toHaveLength(4);
    for (const p of points) expect((p[1] - x[1]) / widths[1]).toBeCloseTo(0, 12);
  });
});
