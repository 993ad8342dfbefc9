import type { Check } from '../../posterior/check.ts';
import { MAX_NAMED } from '../../posterior/sentences.ts';
import type { Subject } from '../subject.ts';

/** Ratio of the lengths of two intervals above which they are reported as different. */
const MUCH_LONGER = 2;

/** Reports intervals of the curvature that were replaced, since the loss at their ends is not as they predict. */
export const replacedIntervals: Check<Subject> = {
  kind: 'intervals',
  rank: 220,
  isCritical: false,
  find: ({ names, replaced }) =>
    replaced.map(({ unknown, interval: [low, high], curvature }) => {
      const name = names[unknown];
      const by = `the curvature says ${fourDigits(curvature[0])} to ${fourDigits(curvature[1])}`;
      const [hasLow, hasHigh] = [Number.isFinite(low), Number.isFinite(high)];
      const note =
        hasLow && hasHigh
          ? `The 95 % interval of ${name} is ${fourDigits(low)} to ${fourDigits(high)}, by the profile of the loss, where ${by}: the loss bends.`
          : hasLow
            ? `What was seen says of ${name} that it is above ${fourDigits(low)}, and not how far; ${by}.`
            : hasHigh
              ? `What was seen says of ${name} that it is below ${fourDigits(high)}, and not how far; ${by}.`
              : `What was seen does not determine ${name}, by the profile of the loss; ${by}.`;
      return { unknowns: [name], note };
    }),
};

/** Finds profile or bootstrap intervals that differ from those of the curvature. */
export const otherIntervals: Check<Subject, 'uncertainty' | 'otherIntervals'> = {
  kind: 'intervals',
  rank: 220,
  isCritical: false,
  needs: ['uncertainty', 'otherIntervals'],
  find: ({ names, values, uncertainty, otherIntervals: { method, intervals } }) => {
    if (!intervals) return { note: 'There are too few frames for bootstrap intervals.' };
    const apart = names.flatMap((name, i) => {
      const own = uncertainty.intervals[i];
      if (!own.every(Number.isFinite)) return [];
      const times = own.map((end, side) => (intervals[i][side] - values[i]) / (end - values[i]));
      return times.some((t) => !(t > 1 / MUCH_LONGER && t < MUCH_LONGER)) ? [{ name, own, other: intervals[i] }] : [];
    });
    const range = ([low, high]: readonly [number, number]): string => `${fourDigits(low)} to ${fourDigits(high)}`;
    const each = apart
      .slice(0, MAX_NAMED)
      .map(({ name, own, other }) => `${name} ${range(other)} (by the curvature ${range(own)})`);
    const note = `The 95 % intervals by ${method} differ from those by the curvature of the loss: ${each.join('; ')}.`;
    return apart.length > 0 && { unknowns: apart.map(({ name }) => name), note };
  },
};

/** Formats a number with four significant digits. */
const fourDigits = (value: number): string => String(Number(value.toPrecision(4)));
