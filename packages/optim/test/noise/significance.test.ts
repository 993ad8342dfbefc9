import { expect, it } from 'vitest';
import { ratioTail, studentTail } from '../../src/noise/significance.ts';

// Abramowitz and Stegun, tables 26.10 (t), 26.9 (F) and 26.8 (chi square).
it('tail probabilities of Student, F and chi square distributions agree with tables', () => {
  expect(studentTail(4.785, 7)).toBeCloseTo(0.001, 5);
  expect(studentTail(1.96, 1e6)).toBeCloseTo(0.025, 4);
  expect(studentTail(-12.706, 1)).toBeCloseTo(0.975, 5);
  // With two degrees of freedom in the numerator it is (1 + 2 F / n)^(-n / 2).
  expect(ratioTail(7.59, 2, 20)).toBeCloseTo((1 + (2 * 7.59) / 20) ** -10, 9);
  expect(ratioTail(4.94, 3, 20)).toBeCloseTo(0.01, 4);
  expect(ratioTail(16.266 / 3, 3, Number.POSITIVE_INFINITY)).toBeCloseTo(0.001, 5);
  expect(ratioTail(149.449 / 100, 100, Number.POSITIVE_INFINITY)).toBeCloseTo(0.001, 5);
  expect(ratioTail(0, 3, 3)).toBe(1);
});
