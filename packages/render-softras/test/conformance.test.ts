import { checkRenderer } from '@gradsim/render/testing';
import { expect, it } from 'vitest';
import { drawn } from '../../../scripts/draws.ts';
import { softRas } from '../src/index.ts';

it.each(drawn(['softmax', 'coverage'] as const, 1))(
  'softRas passes checkRenderer, compositing by %s',
  async (compositing) => {
    const { seed, sharpDifferences } = await checkRenderer(
      (options) => softRas({ ...options, compositing, sigma: 1e-3, gamma: 1e-2 }),
      { seed: 12, sharp: (options) => softRas({ ...options, compositing, sigma: 1e-9, gamma: 1e-7 }) },
    );
    console.log(`scenes from seed ${seed}; ${JSON.stringify(sharpDifferences)} from a z-buffer`);
    expect(Object.keys(sharpDifferences)).toEqual(['color', 'normal', 'face']);
  },
);

it('softRas passes checkRenderer with outlines equally soft in x and y', async () => {
  const { seed } = await checkRenderer(
    (options) => softRas({ ...options, evenOutlines: true, compositing: 'coverage', sigma: 1e-3, gamma: 1e-2 }),
    {
      seed: 12,
      sharp: (options) =>
        softRas({ ...options, evenOutlines: true, compositing: 'coverage', sigma: 1e-9, gamma: 1e-7 }),
    },
  );
  console.log(`scenes from seed ${seed}`);
});
