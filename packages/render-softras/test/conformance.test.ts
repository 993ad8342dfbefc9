import { checkRenderer } from '@gradsim/render/testing';
import { expect, it } from 'vitest';
import { softRas } from '../src/index.ts';

const passes = async (how: Partial<Parameters<typeof softRas>[0]>): Promise<void> => {
  const { seed, sharpDifferences } = await checkRenderer(
    (options) => softRas({ ...options, ...how, sigma: 1e-3, gamma: 1e-2 }),
    { seed: 12, createSharp: (options) => softRas({ ...options, ...how, sigma: 1e-9, gamma: 1e-7 }) },
  );
  console.log(`scenes from seed ${seed}; ${JSON.stringify(sharpDifferences)} from a z-buffer`);
  expect(Object.keys(sharpDifferences)).toEqual(['color', 'silhouette', 'depth', 'normal', 'face']);
};

it('softRas passes checkRenderer, compositing by softmax', () => passes({ compositing: 'softmax' }));

it('softRas passes checkRenderer, compositing by coverage', () => passes({ compositing: 'coverage' }));

it('softRas passes checkRenderer with outlines equally soft in x and y', () =>
  passes({ compositing: 'coverage', evenOutlines: true }));
