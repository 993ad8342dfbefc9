import { randomNumbers } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { coarse, upTo } from '../../src/problem/fewer-frames.ts';
import { drawAround, drawStarts } from '../../src/search/starts.ts';
import { Unknowns } from '../../src/unknowns/unknowns.ts';
import { drag, gravity, motesModel, motesProblem, printedSeed, RUN, vx } from '../motes.ts';

const model = motesModel();
const target = Float64Array.from({ length: RUN.frames * 6 }, (_, k) => Math.floor(k / 6));
const frameOf = (values: ArrayLike<number>) => [...Array(values.length / 6).keys()].map((f) => values[f * 6]);

describe('a coarse problem', () => {
  it('has the same physics at every n-th frame, of those that were chosen', () => {
    const long = {
      ...motesProblem(target),
      frames: 49,
      observations: [
        {
          field: 'motes.seen',
          target: Float64Array.from({ length: 49 * 6 }, (_, k) => Math.floor(k / 6)),
          frames: { every: 8 },
        },
      ],
    };
    const short = coarse(long);
    // 48 steps in at least 12: every 4th frame, as many substeps a second.
    expect(short.frames).toBe(13);
    expect(short.frameRate * short.substeps).toBe(long.frameRate * long.substeps);
    expect((short.frames - 1) / short.frameRate).toBe((long.frames - 1) / long.frameRate);
    expect(frameOf(short.observations![0].target)).toEqual([0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48]);
    expect(short.observations![0].frames).toEqual([0, 2, 4, 6, 8, 10, 12]);
  });
  it('is the problem itself where that is short already', () => {
    const problem = motesProblem(target);
    expect(coarse(problem)).toBe(problem);
  });
});

describe('a problem up to a share of its time', () => {
  it('has the first frames, with their weights, of those that were chosen', () => {
    const weights = target.map((f) => f + 1);
    const {
      frames,
      frameRate,
      substeps,
      observations = [],
    } = upTo(motesProblem(target, { observation: { weights, frames: [1, 4, 20] } }), 0.25);
    expect([frames, frameRate, substeps]).toEqual([6, RUN.frameRate, RUN.substeps]);
    expect(frameOf(observations[0].target)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(frameOf(observations[0].weights!)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(observations[0].frames).toEqual([1, 4]);
  });
  it('has whole exposures', () => {
    const { frames, observations = [] } = upTo(
      motesProblem(target.slice(0, target.length / 4), { observation: { instants: 4 } }),
      0.3,
    );
    // 0.3 of 24 frames are 7.2, the nearest whole exposures of 4 are 8: 2 frames of the film.
    expect(frames).toBe(8);
    expect(frameOf(observations[0].target)).toEqual([0, 1]);
  });
});

describe('starts', () => {
  const unknowns = new Unknowns({
    model,
    ...RUN,
    parameters: [gravity, { ...drag, transform: 'bounded', initial: 1 }, vx],
  });
  it('begin with the initial values and cover the ranges evenly, the same for one seed', () => {
    const starts = drawStarts(unknowns, 257, randomNumbers(printedSeed('starts', 4)));
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
    // No range, no drawing.
    for (const values of drawn) expect(values[2]).toBe(vx.initial);
    expect(drawStarts(unknowns, 257, randomNumbers(4))).toEqual(starts);
  });
});

describe('starts of an array', () => {
  it('are drawn from its range, each value by itself, the first as it is given', () => {
    const velocity = { name: 'v', field: 'motes.velocity', initial: 0.5, range: [-2, 6] } as const;
    const unknowns = new Unknowns({ model, ...RUN, arrays: [velocity] });
    const starts = drawStarts(unknowns, 401, randomNumbers(printedSeed('array', 4)));
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

describe('points around an end', () => {
  it('are close where the loss is steep and all over the range where it is flat', () => {
    const unknowns = new Unknowns({ model, ...RUN, parameters: [gravity, drag] });
    const x = unknowns.initial();
    // Steep along gravity: its standard deviation, where the loss doubles, is sqrt(1e-4 / 1) = 0.01.
    const points = drawAround(
      unknowns,
      { x, loss: 1e-4, hessian: Float64Array.of(1, 0, 0, 0) },
      400,
      randomNumbers(printedSeed('around', 9)),
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
