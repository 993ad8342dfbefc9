import type { Estimate } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { describeDirection, leastDetermined } from '../src/soft/least-determined.ts';

const value = (estimate: number, standardError: number | null): Estimate['parameters'][string] => ({
  estimate,
  standardError,
  interval: null,
  determinedBy: null,
  unit: '',
  initial: 1,
});
const found = (parameters: Estimate['parameters'], correlation: Estimate['correlation']) => ({
  parameters,
  correlation,
});

it('the least determined direction is the longest axis of the error ellipse', () => {
  // Relative errors of 1 % each with correlation -0.5: variance 1e-4 (1 + 0.5) along (1, -1) / sqrt(2).
  const estimate = found({ a: value(10, 0.1), b: value(-2, 0.02) }, [
    [1, -0.5],
    [-0.5, 1],
  ]);
  const direction = leastDetermined(estimate)!;
  expect(direction.standardDeviation).toBeCloseTo(0.01 * Math.sqrt(1.5), 10);
  expect(direction.weights[0].weight * direction.weights[1].weight).toBeCloseTo(-0.5, 8);
  expect(describeDirection(direction)).toBe(
    'Least determined direction, in relative changes: a 0.71, b -0.71; standard deviation 1.22e-2.',
  );
});

it('there is no least determined direction if a parameter has an infinite standard error', () => {
  expect(leastDetermined(found({ a: value(1, Number.POSITIVE_INFINITY) }, [[null]]))).toBeUndefined();
});
