import { checkRenderer } from '@gradsim/render/testing';
import { expect, it } from 'vitest';
import { dibr } from '../src/index.ts';

it('keeps what every renderer promises', async () => {
  const { seed, sharpDifference } = await checkRenderer((options) => dibr({ ...options, delta: 1e-3 }), {
    sharp: (options) => dibr({ ...options, delta: 1e-9 }),
  });
  console.log(`scenes from seed ${seed}; ${sharpDifference} from a z-buffer`);
  expect(sharpDifference).toBeLessThan(1 / 255);
}, 120_000);
