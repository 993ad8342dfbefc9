import { describe, expect, it } from 'vitest';
import { mean, median, randomNumbers, sum, sumOfProducts, sumOfSquares, upperMedian } from '../../src/index.ts';

describe('statistics', () => {
  it('compute sum, mean (NaN of no values), sum of squares and sum of products', () => {
    expect(sum([1, 2, 3, 4])).toBe(10);
    expect(mean(Float32Array.of(1, 2, 3, 4))).toBe(2.5);
    expect(mean([])).toBeNaN();
    expect(sumOfSquares([1, 2, 3])).toBe(14);
    expect(sumOfProducts([1, 2, 3], [4, 5, 6])).toBe(32);
  });

  it('compute the median: of an even number of values, median is the mean of the middle two, upperMedian the larger', () => {
    expect([median([3, 10, 1]), upperMedian([3, 10, 1])]).toEqual([3, 3]);
    expect([median([4, 10, 1, 3]), upperMedian([4, 10, 1, 3])]).toEqual([3.5, 4]);
    expect([median([]), upperMedian([])]).toEqual([NaN, NaN]);
  });

  it('compute the upper median of any order, of equal values, and with NaN behind all numbers, as a sort does', () => {
    const random = randomNumbers(3);
    for (let count = 1; count < 60; count++) {
      const values = Float64Array.from({ length: count }, () => {
        const level = Math.floor(9 * random());
        return level === 8 ? Number.NaN : level;
      });
      expect(upperMedian(values)).toBe(values.slice().sort()[count >> 1]);
    }
  });

  it('include median, which does not reorder its argument', () => {
    const values = [3, 1, 2];
    expect(median(values)).toBe(2);
    expect(values).toEqual([3, 1, 2]);
  });
});
