import { randomNumbers, standardNormal } from '@gradsim/numeric';
import { expect, it } from 'vitest';
import { BackgroundSums } from '../../src/inference/background.ts';

const random = randomNumbers(5);
const white = (count: number): Float32Array => Float32Array.from({ length: count }, () => standardNormal(random));
const SHAPE = { elements: 640, values: 3 * 640 };
const foundOf = (frame: () => Float32Array) => {
  const sums = new BackgroundSums();
  for (let f = 0; f < 20; f++) sums.add(frame(), SHAPE);
  return sums.found!;
};

it('sums of neighbours vary as expected of independent values', () => {
  const { variance, together } = foundOf(() => white(SHAPE.values));
  expect(variance).toBeCloseTo(1, 1);
  expect(together).toBeLessThan(1.3);
});

it('and by the factor of their correlation: blurred over five, and equal in all three components', () => {
  const blurred = (): Float32Array => {
    const sharp = white(SHAPE.values + 4);
    return Float32Array.from(
      { length: SHAPE.values },
      (_, k) => (sharp[k] + sharp[k + 1] + sharp[k + 2] + sharp[k + 3] + sharp[k + 4]) / Math.sqrt(5),
    );
  };
  const { together } = foundOf(blurred);
  expect(together).toBeGreaterThan(4);
  expect(together).toBeLessThan(6);
  const grey = foundOf(() => {
    const own = white(SHAPE.elements);
    return Float32Array.from({ length: SHAPE.values }, (_, k) => own[k % SHAPE.elements]);
  });
  expect(grey.together).toBeGreaterThan(2.7);
});

it('gives no answer for too few values', () => {
  expect(new BackgroundSums().found).toBeNull();
});
