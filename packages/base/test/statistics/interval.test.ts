import { asymmetricEnds, standardErrorsOff } from '@gradsim/base';
import { expect, it } from 'vitest';

/** A value found on a log scale, with a relative standard error. */
const found = (estimate: number, relative: number) => ({
  estimate,
  standardError: estimate * relative,
  interval: [-1.96, 1.96].map((times) => estimate * Math.exp(times * relative)) as unknown as readonly [number, number],
});

it('an interval on a log scale is lopsided from a relative error of a fifth or so on, and one of a normal value never', () => {
  expect(asymmetricEnds(3, found(3, 0.05).interval)).toBeNull();
  expect(asymmetricEnds(3, found(3, 0.3).interval)).toEqual(found(3, 0.3).interval);
  expect(asymmetricEnds(3, [3 - 40, 3 + 40])).toBeNull();
  expect(asymmetricEnds(3, [null, 4])).toBeNull();
  expect(asymmetricEnds(3, [Number.NEGATIVE_INFINITY, 4])).toBeNull();
  expect(asymmetricEnds(3, null)).toBeNull();
});

it('errors are counted by the side of a lopsided interval on which the truth lies', () => {
  const drag = found(0.0013, 1.5);
  expect(drag.interval[1]).toBeGreaterThan(0.02);
  // Six linear standard errors off, and within its interval.
  expect((0.0013 - 0.0131) / drag.standardError).toBeCloseTo(-6.05, 2);
  expect(standardErrorsOff(drag, 0.0131)).toBeCloseTo((-1.96 * (0.0131 - 0.0013)) / (drag.interval[1] - 0.0013), 9);
  expect(standardErrorsOff(drag, drag.interval[0])).toBeCloseTo(1.96, 9);
  expect(standardErrorsOff(drag, drag.interval[1])).toBeCloseTo(-1.96, 9);
});

it('errors of other values are counted in standard errors, and of undetermined ones not at all', () => {
  expect(standardErrorsOff({ estimate: 9.9, standardError: 0.05 }, 9.8)).toBeCloseTo(2, 9);
  expect(standardErrorsOff({ estimate: 9.9, standardError: 0.05, interval: [9.8, 10] }, 9.8)).toBeCloseTo(2, 9);
  expect(standardErrorsOff({ estimate: 9.9, standardError: null, interval: [null, null] }, 9.8)).toBeNull();
  expect(standardErrorsOff({ estimate: 9.9, standardError: Number.POSITIVE_INFINITY }, 9.8)).toBeNull();
});
