import { timeOfFrame } from '@gradsim/core';
import { describe, expect, it } from 'vitest';
import { problemUpTo, withFewerFrames } from '../../src/problem/fewer-frames.ts';
import { motesProblem, RUN } from '../motes.ts';

const target = Float64Array.from({ length: RUN.frames * 6 }, (_, k) => Math.floor(k / 6));
const frameOf = (values: ArrayLike<number>) => [...Array(values.length / 6).keys()].map((f) => values[f * 6]);

describe('a coarse problem', () => {
  it('has every 4th of 49 frames, with the same duration and substeps per second', () => {
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
    const short = withFewerFrames(long);
    // 48 steps in at least 12: every 4th frame, as many substeps a second.
    expect(short.frames).toBe(13);
    expect(short.frameRate! * short.substeps).toBe(long.frameRate! * long.substeps);
    expect(timeOfFrame(short, short.frames - 1)).toBe(timeOfFrame(long, long.frames - 1));
    const frameTimes = Array.from({ length: 49 }, (_, k) => k + Math.sin(k) / 2);
    const uneven = withFewerFrames({ ...long, frameRate: undefined, frameTimes });
    expect(uneven.frameTimes).toEqual(frameTimes.filter((_, k) => k % 4 === 0));
    expect(frameOf(short.observations![0].target)).toEqual([0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48]);
    expect(short.observations![0].frames).toEqual([0, 2, 4, 6, 8, 10, 12]);
  });
  it('is the problem itself if it has few frames already', () => {
    const problem = motesProblem(target);
    expect(withFewerFrames(problem)).toBe(problem);
  });
});

describe('a problem up to a share of its time', () => {
  it('has only the targets, weights and chosen frames of that time', () => {
    const weights = target.map((f) => f + 1);
    const {
      frames,
      frameRate,
      substeps,
      observations = [],
    } = problemUpTo(motesProblem(target, { observation: { weights, frames: [1, 4, 20] } }), 0.25);
    expect([frames, frameRate, substeps]).toEqual([6, RUN.frameRate, RUN.substeps]);
    expect(frameOf(observations[0].target)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(frameOf(observations[0].weights!)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(observations[0].frames).toEqual([1, 4]);
  });
  it('ends at the nearest whole exposure', () => {
    const { frames, observations = [] } = problemUpTo(
      motesProblem(target.slice(0, target.length / 4), { observation: { instants: 4 } }),
      0.3,
    );
    // 0.3 of 24 frames are 7.2, the nearest whole exposures of 4 are 8: 2 frames of the film.
    expect(frames).toBe(8);
    expect(frameOf(observations[0].target)).toEqual([0, 1]);
  });
});
