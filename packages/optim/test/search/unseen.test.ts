import { f64Device } from '@gradsim/core';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { motesModel, motesProblem, seenBy, TRUTH } from '../motes.ts';

// 61 frames, of which a rough comparison takes every 5th.
const RUN = { frames: 61, frameRate: 60, substeps: 1 } as const;

/** Estimate where frames for which `isSeen` is false have no weight. */
async function estimated(isSeen: (frame: number) => boolean, horizons: 'growing' | undefined) {
  const problem = motesProblem([], RUN);
  const device = f64Device();
  const target = await seenBy(motesModel(), 0, undefined, RUN);
  const weights = target.map((_, k) => Number(isSeen(Math.floor(k / 6))));
  return estimate(
    {
      ...problem,
      observations: [{ field: 'motes.seen', target, weights }],
      options: { search: { starts: 4, scan: 16, ...(horizons && { horizons }) } },
    },
    { device },
  );
}

describe('frames without weight', () => {
  it.each([
    ['at the beginning', (frame: number) => frame > 40],
    ['wherever a rough comparison looks', (frame: number) => frame % 5 !== 0],
    ['but for two', (frame: number) => frame === 7 || frame === 43],
  ] as const)('%s leave the search what the others show', async (_, isSeen) => {
    for (const horizons of ['growing', undefined] as const) {
      const { parameters } = await estimated(isSeen, horizons);
      expect(parameters.gravity.estimate).toBeCloseTo(TRUTH.gravity, 4);
    }
  });
});
