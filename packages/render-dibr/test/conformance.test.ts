import { checkRenderer } from '@gradsim/render/testing';
import { expect, it } from 'vitest';
import { dibr } from '../src/index.ts';

const passes = async (how: Partial<Parameters<typeof dibr>[0]>): Promise<void> => {
  const { seed, sharpDifferences } = await checkRenderer((options) => dibr({ ...options, ...how, delta: 1e-3 }), {
    seed: 11,
    createSharp: (options) => dibr({ ...options, ...how, delta: 1e-9 }),
  });
  console.log(`scenes from seed ${seed}; ${JSON.stringify(sharpDifferences)} from a z-buffer`);
  expect(Object.keys(sharpDifferences)).toEqual(['color', 'silhouette', 'depth', 'normal', 'face']);
};

it('dibr passes checkRenderer, compositing by nearest', () => passes({ compositing: 'nearest' }));

it('dibr passes checkRenderer, compositing by coverage', () => passes({ compositing: 'coverage' }));

it('dibr passes checkRenderer with outlines equally soft in x and y', () =>
  passes({ compositing: 'coverage', evenOutlines: true }));

it('dibr fails checkRenderer if its sharp variant has blurred outlines', async () => {
  const soft = (options: Parameters<typeof dibr>[0]) => dibr({ ...options, delta: 0.05 });
  await expect(checkRenderer(soft, { createSharp: soft, seed: 3 })).rejects.toThrowCode({
    code: 'render/renderer-differs',
    values: ['color', /0\.\d+/],
  });
});
