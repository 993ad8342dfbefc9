import { checkRenderer } from '@gradsim/render/testing';
import { expect, it } from 'vitest';
import { drawn } from '../../../scripts/draws.ts';
import { dibr } from '../src/index.ts';

it.each(drawn(['nearest', 'coverage'] as const, 1))(
  'dibr passes checkRenderer, compositing by %s',
  async (compositing) => {
    const { seed, sharpDifferences } = await checkRenderer(
      (options) => dibr({ ...options, compositing, delta: 1e-3 }),
      {
        seed: 11,
        sharp: (options) => dibr({ ...options, compositing, delta: 1e-9 }),
      },
    );
    console.log(`scenes from seed ${seed}; ${JSON.stringify(sharpDifferences)} from a z-buffer`);
    expect(Object.keys(sharpDifferences)).toEqual(['color', 'normal', 'face']);
  },
);

it('dibr fails checkRenderer if its sharp variant has blurred outlines', async () => {
  const soft = (options: Parameters<typeof dibr>[0]) => dibr({ ...options, delta: 0.05 });
  await expect(checkRenderer(soft, { sharp: soft, seed: 3 })).rejects.toThrowCode({
    code: 'render/renderer-differs',
    values: ['color', /0\.\d+/],
  });
});

it('dibr passes checkRenderer with outlines equally soft in x and y', async () => {
  const { seed } = await checkRenderer(
    (options) => dibr({ ...options, evenOutlines: true, compositing: 'coverage', delta: 1e-3 }),
    {
      seed: 11,
      sharp: (options) => dibr({ ...options, evenOutlines: true, compositing: 'coverage', delta: 1e-9 }),
    },
  );
  console.log(`scenes from seed ${seed}`);
});
